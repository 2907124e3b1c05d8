/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reads the configuration that slurmd and slurmstepd hold in their own memory.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/slurmd_identity.h"

#include SLURM_CGROUP_H
#include "src/common/read_config.h"
#include "src/common/xstring.h"
#include "src/slurmd/slurmd/slurmd.h"

#include <stdlib.h>

/* srun, sbatch and salloc load the same plugin and have none of them. */
#pragma weak conf
#pragma weak slurm_conf
#pragma weak slurm_cgroup_conf

static bool makes_cpusets(void) {
    return &slurm_cgroup_conf && slurm_cgroup_conf.constrain_cores &&
           xstrstr(slurm_conf.task_plugin, "cgroup");
}

/* Never so before 23.11, where slurmd reads its configuration again as it runs. */
bool vmall_slurmd_is_probationary(void) {
    return getenv("SLURMD_RECONF_PARENT_FD") != NULL;
}

int vmall_read_slurmd_identity(struct vmall_slurmd_identity *identity) {
    if (!&conf || !conf || !conf->node_name || !&slurm_conf)
        return -1;
    const char *mount = &slurm_cgroup_conf ? slurm_cgroup_conf.cgroup_mountpoint : NULL;
    *identity = (struct vmall_slurmd_identity){
        .node_name = conf->node_name,
        .spool_dir = conf->spooldir,
        .cgroup_mount = mount ? mount : "/sys/fs/cgroup",
        .makes_cpusets = makes_cpusets(),
        .slurm_user_id = slurm_conf.slurm_user_id,
        .claimed_cores = (uint32_t)conf->sockets * conf->cores,
        .port = conf->port,
        .daemonizes_after_init = conf->daemonize && !SPANK_IS_INITIALISED_IN_THE_BACKGROUND,
    };
    return 0;
}
