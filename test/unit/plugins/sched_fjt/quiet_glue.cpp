// SPDX-License-Identifier: GPL-2.0-or-later
//
// What every slurmglue without slurmctld answers, whatever a test is about. Linked beside the rest
// of what stands for the real one: fake_glue.cpp, or that of test/simulation.
#include "slurmglue/controller.h"
#include "slurmglue/job_resize.h"
#include "slurmglue/job_start.h"
#include "slurmglue/job_view.h"
#include "slurmglue/time_limits.h"

void vmall_lock_to_read() {}
void vmall_unlock_to_read() {}
void vmall_lock_to_act() {}
void vmall_unlock_to_act() {}
void vmall_log_verbose(const char *) {}
bool vmall_may_schedule() {
    return true;
}
bool vmall_preemption_is_on() {
    return false;
}
bool vmall_any_job(bool (*)(const vmall_applicant *, const void *), const void *, bool) {
    return true;
}
extern const int vmall_slurmdbd_not_ready = 1;
void vmall_visit_step_limits(std::uint32_t, vmall_visit_step_limit, void *) {}
