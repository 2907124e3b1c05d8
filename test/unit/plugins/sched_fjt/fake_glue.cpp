// SPDX-License-Identifier: GPL-2.0-or-later
//
// What sched/fjt calls of slurmglue as it carries out decisions.
#include "plugins/sched_fjt/fake_glue.hpp"

#include "slurmglue/accounting.h"
#include "slurmglue/contradiction.h"
#include "slurmglue/controller.h"
#include "slurmglue/job_note.h"
#include "slurmglue/job_request.h"
#include "slurmglue/job_resize.h"
#include "slurmglue/queue_view.h"
#include "slurmglue/reservations.h"
#include "slurmglue/time_limits.h"

#include <cstring>
#include <numeric>

FakeGlue glue;

// controller.h

void vmall_log_error(const char *) {}
void vmall_log_info(const char *) {}
void vmall_log_debug(const char *) {}
const char *vmall_error_text(int) {
    return "an error of Slurm's";
}
void vmall_visit_nodes(vmall_visit_node visit, void *context) {
    vmall_visit_node_at(0, visit, context);
}
void vmall_visit_node_at(std::uint32_t index, vmall_visit_node visit, void *context) {
    const vmall_node node = {index, "n0", "", 0, 8, 8, 1, true, false, false, true, 1000};
    visit(context, &node);
}

// contradiction.h

char *vmall_contradiction() {
    return glue.contradiction ? strdup(glue.contradiction) : nullptr;
}

// job_start.h

int vmall_start_job(const vmall_start *start, std::uint32_t *started) {
    glue.tried.push_back(start->job_id);
    *started = start->job_id;
    const auto error = glue.start_errors.find(start->job_id);
    return error == glue.start_errors.end() ? 0 : error->second;
}
enum vmall_prospect vmall_prospect(const vmall_start *start) {
    glue.asked_for_prospect.push_back(start->job_id);
    return glue.prospect ? glue.prospect(*start) : VMALL_WOULD_START;
}
time_t vmall_expected_start(std::uint32_t job_id) {
    glue.asked_for_expected_start.push_back(job_id);
    return glue.expected_start;
}
bool vmall_may_preempt(std::uint32_t job_id) {
    glue.asked_for_preemption.push_back(job_id);
    return !glue.may_not_preempt.count(job_id);
}
int vmall_requeue_job(std::uint32_t) {
    return glue.requeue_error;
}

// job_view.h, queue_view.h

std::uint32_t vmall_queue_limit() {
    return 1;
}
void vmall_visit_queue(std::uint32_t, vmall_visit_job, void *) {}
void vmall_visit_active(vmall_visit_job visit, void *context) {
    for (const auto &[id, job] : glue.active)
        visit(context, &job);
}
void vmall_visit_active_job(std::uint32_t job_id, vmall_visit_job visit, void *context) {
    if (const auto job = glue.active.find(job_id); job != glue.active.end())
        visit(context, &job->second);
}
void vmall_visit_held_cores(std::uint32_t job_id, vmall_visit_node_cores visit, void *context) {
    const vmall_job &job = glue.active.at(job_id);
    std::vector<std::uint32_t> cores(job.allotment_count ? job.allotment->cores : job.tasks);
    std::iota(cores.begin(), cores.end(), 0);
    const vmall_node_cores here = {0, cores.data(), static_cast<std::uint32_t>(cores.size())};
    visit(context, &here);
}
static void show(const std::vector<std::uint32_t> &cores, vmall_visit_node_cores visit,
                 void *context) {
    const vmall_node_cores here = {0, cores.data(), static_cast<std::uint32_t>(cores.size())};
    visit(context, &here);
}
void vmall_visit_free_cores(std::uint32_t, vmall_visit_node_cores visit, void *context) {
    show(glue.free_cores, visit, context);
}
time_t vmall_job_end(std::uint32_t) {
    return 0;
}
bool vmall_has_step_on(std::uint32_t, std::uint32_t) {
    return glue.has_step;
}

// reservations.h

void vmall_visit_withheld(std::uint32_t, std::uint32_t left, vmall_visit_node_cores visit,
                          void *context) {
    if (left == 0 || glue.withheld_in < left)
        show(glue.withheld_cores, visit, context);
}

// accounting.h

void vmall_learn_records() {}

// job_note.h, job_request.h, job_resize.h

void vmall_set_wait_reason(std::uint32_t job_id, bool, const char *text) {
    glue.told_reasons[job_id] = text;
}
void vmall_set_expected_start(std::uint32_t job_id, time_t start) {
    glue.told_starts[job_id] = start;
}
const char *vmall_admin_comment(std::uint32_t job_id) {
    return glue.admin_comments[job_id].c_str();
}
void vmall_set_admin_comment(std::uint32_t job_id, const char *text) {
    glue.admin_comments[job_id] = text;
}
void vmall_raise_request(std::uint32_t, std::uint32_t, std::uint32_t) {}
int vmall_resize_job(std::uint32_t, const vmall_node_cores *, std::uint32_t,
                     std::uint32_t time_limit) {
    glue.limits_of_resizes.push_back(time_limit);
    return glue.resize_error;
}
int vmall_try_resize(std::uint32_t job_id, const vmall_node_cores *target, std::uint32_t nodes) {
    std::uint32_t &cores = glue.believed_cores[job_id] = 0;
    for (std::uint32_t i = 0; i < nodes; i++)
        cores += target[i].core_count;
    return 0;
}

// time_limits.h

bool vmall_set_job_limit(std::uint32_t job_id, std::uint32_t from, std::uint32_t seconds) {
    glue.job_limits.push_back({job_id, from, seconds});
    return !glue.record_number_is_asked_for;
}
void vmall_set_step_limit(std::uint32_t job_id, std::uint32_t step_id, std::uint32_t minutes) {
    glue.step_limits.push_back({job_id, step_id, minutes});
}
bool vmall_take_extension_back(std::uint32_t job_id, std::uint32_t from, std::uint32_t asked) {
    glue.taken_back.push_back({job_id, from, asked});
    return glue.waiting.count(job_id);
}
