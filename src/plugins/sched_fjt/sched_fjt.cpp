// SPDX-License-Identifier: GPL-2.0-or-later
//
// sched/fjt: Slurm's symbols, handed over at once to the scheduler (scheduler_thread). Beside it
// runs Slurm's own sched/backfill, for the jobs that did not ask.
#include "plugins/cores/build.hpp"
#include "plugins/sched_fjt/locks.hpp"
#include "plugins/sched_fjt/log.hpp"
#include "plugins/sched_fjt/scheduler_thread.hpp"
#include "plugins/sched_fjt/see/look.hpp"
#include "plugins/select_vmall/gate.hpp"
#include "slurmglue/het_jobs.h"
#include "slurmglue/layout.h"
#include "slurmglue/scheduler_beside.h"
#include "slurmglue/select_question.h"

#include "vmall_config.h"

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include <cstdlib>
#include <memory>
#include <string>

#define EXPORT __attribute__((visibility("default")))

namespace {

// Ended by fini() only: a static object would wait for its thread at any exit(), also where Slurm's
// fatal() calls it under the locks that this thread waits for.
vmall::sched::SchedulerThread *scheduler;

void end_scheduler() {
    delete scheduler;
    scheduler = nullptr;
}

void wake() noexcept {
    if (scheduler)
        scheduler->wake();
}

void reconfigure() noexcept {
    if (scheduler)
        scheduler->reconfigure();
}

void configured() noexcept {
    vmall_offer_het_jobs();
}

const vmall::select::Listener listener = {wake, reconfigure, configured};

using LockConfiguration = vmall::sched::Lock<vmall_lock_configuration, vmall_unlock_configuration>;

// Why we cannot run under this slurmctld, and what to do; empty: we can.
std::string obstacle(const vmall::select::Gate *gate) {
    const std::string ours = vmall::cores::build;
    if (!gate)
        return "slurm.conf must say SelectType=" VMALL_SELECT_TYPE;
    if (gate->build != ours)
        return "sched_fjt.so is of build " + ours + " and the select plugin of build " +
               gate->build + ": install both from one build of slurm-vmall (make install)";
    if (const char *other = vmall_other_layout())
        return other;
    return vmall::sched::contradiction();
}

// slurmctld ends if this fails: at start-up a wrong configuration is better refused than guessed
// at.
bool start() {
    const auto *gate = static_cast<const vmall::select::Gate *>(vmall_select_ask());
    if (const std::string why = obstacle(gate); !why.empty()) {
        vmall::sched::log_error(why);
        return false;
    }
    const std::unique_ptr<char, decltype(&std::free)> path(vmall_config_path("vmall.conf"),
                                                           &std::free);
    scheduler = new vmall::sched::SchedulerThread(*gate, path.get());
    if (!vmall_load_scheduler("sched/backfill")) {
        vmall::sched::log_error("cannot load Slurm's own sched/backfill, for the jobs that did not "
                                "ask: install it again, or put its directory into PluginDir of "
                                "slurm.conf");
        end_scheduler();
        return false;
    }
    gate->attach(&listener);
    // A slurmctld that goes on, since the one to take its place did not start, reads no slurm.conf.
    if (vmall_is_at_work()) {
        const LockConfiguration lock;
        vmall_offer_het_jobs();
    }
    vmall::sched::log_info(std::string("slurm-vmall " PACKAGE_VERSION ", ") + path.get());
    return true;
}

} // namespace

extern "C" {

EXPORT extern const char plugin_name[] =
    "Scheduler of virtually malleable jobs, beside sched/backfill";
EXPORT extern const char plugin_type[] = VMALL_SCHEDULER_TYPE;
EXPORT extern const std::uint32_t plugin_version = SLURM_VERSION_NUMBER;

EXPORT int init(void) {
    try {
        return scheduler || start() ? SLURM_SUCCESS : SLURM_ERROR;
    } catch (const std::exception &error) {
        vmall::sched::log_error(error.what());
        return SLURM_ERROR;
    }
}

EXPORT void fini(void) {
    vmall_unload_scheduler();
    if (const auto *gate = static_cast<const vmall::select::Gate *>(vmall_select_ask()))
        gate->attach(nullptr);
    end_scheduler();
    const LockConfiguration lock;
    vmall_withdraw_het_jobs();
}

EXPORT int sched_p_reconfig(void) {
    vmall_go_on_offering_het_jobs();
    vmall_reconfigure_scheduler();
    return SLURM_SUCCESS;
}
}
