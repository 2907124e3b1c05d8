/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SchedulerType, as slurmctld has it in memory.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/het_jobs.h"
#include "slurmglue/internal/own_plugin.h"

#include "src/common/log.h"
#include "src/common/read_config.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/locks.h"

#include <stdbool.h>

static const slurmctld_lock_t configuration = {.conf = WRITE_LOCK};

static const char slurms_own[] = "sched/backfill";

static bool offered;

void vmall_lock_configuration(void) {
    lock_slurmctld(configuration);
}

void vmall_unlock_configuration(void) {
    unlock_slurmctld(configuration);
}

static void change_type(const char *from, const char *to) {
    if (xstrcmp(slurm_conf.schedtype, from))
        return;
    char *before = slurm_conf.schedtype;
    slurm_conf.schedtype = xstrdup(to);
    xfree(before);
}

void vmall_offer_het_jobs(void) {
    if (offered)
        return;
    change_type(plugin_type, slurms_own);
    offered = true;
    info("%s: slurmctld reads SchedulerType=%s from now on, so that it takes heterogeneous jobs",
         plugin_type, slurms_own);
}

void vmall_go_on_offering_het_jobs(void) {
    if (offered)
        change_type(plugin_type, slurms_own);
}

void vmall_withdraw_het_jobs(void) {
    if (offered)
        change_type(slurms_own, plugin_type);
    offered = false;
}
