/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * SlurmctldPlugstack, by which sched/fjt can run beside the scheduler that SchedulerType names. For
 * commands: needs libslurm only.
 */
#ifndef VMALL_GLUE_PLUGSTACK_H
#define VMALL_GLUE_PLUGSTACK_H

#include <slurm/slurm.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether this release of Slurm knows it. */
bool vmall_has_plugstack(void);

/* Its words, separated by commas; NULL: none. */
const char *vmall_plugstack(const slurm_conf_t *conf);

#ifdef __cplusplus
}
#endif

#endif
