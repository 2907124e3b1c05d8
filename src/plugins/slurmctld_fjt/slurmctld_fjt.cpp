// SPDX-License-Identifier: GPL-2.0-or-later
//
// slurmctld/fjt: starts sched/fjt where SchedulerType is sched/backfill, without which Slurm takes
// no heterogeneous jobs. SlurmctldPlugstack is how slurmctld is told of it: it starts such plugins
// when its jobs are loaded, and ends them after its own scheduler.
#include "slurmglue/scheduler_beside.h"

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include <cstdint>

#define EXPORT __attribute__((visibility("default")))

extern "C" {

EXPORT extern const char plugin_name[] = "sched/fjt beside the scheduler of SchedulerType";
EXPORT extern const char plugin_type[] = "slurmctld/fjt";
EXPORT extern const std::uint32_t plugin_version = SLURM_VERSION_NUMBER;

EXPORT int init(void) {
    return vmall_load_scheduler("sched/fjt") ? SLURM_SUCCESS : SLURM_ERROR;
}

EXPORT void fini(void) {
    vmall_unload_scheduler();
}

// What scontrol show config would print; vmctl config prints it.
EXPORT void slurmctld_plugstack_p_get_config(void *) {}
}
