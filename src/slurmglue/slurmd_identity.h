/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What slurmd and slurmstepd know about the node they serve.
 */
#ifndef VMALL_SLURMD_IDENTITY_H
#define VMALL_SLURMD_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Strings belong to Slurm and live as long as the process. */
struct vmall_slurmd_identity {
    const char *node_name;
    const char *spool_dir;      /* where slurmstepds have their sockets */
    const char *cgroup_mount;   /* CgroupMountpoint, or its default */
    bool makes_cpusets;         /* task/cgroup with ConstrainCores=yes; slurmd only */
    uint32_t slurm_user_id;     /* slurmd only */
    uint32_t claimed_cores;     /* that slurm.conf says the node has; slurmd only */
    uint16_t port;              /* slurmd's; slurmd only */
    bool daemonizes_after_init; /* slurmd will fork into the background after SPANK's init */
};

/* Returns 0, or -1 in a process that is neither slurmd nor slurmstepd. */
int vmall_read_slurmd_identity(struct vmall_slurmd_identity *identity);

/* In slurmd: whether another slurmd, whose place it takes, goes on if this one does not start. */
bool vmall_slurmd_is_probationary(void);

#ifdef __cplusplus
}
#endif

#endif
