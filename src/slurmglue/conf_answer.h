/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * slurmctld's answer to a command that asks for its configuration, and where slurmctld is to be.
 */
#ifndef VMALL_GLUE_CONF_ANSWER_H
#define VMALL_GLUE_CONF_ANSWER_H

#include <slurm/slurm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Ends what slurm_load_ctl_conf() has given. */
void vmall_free_conf_answer(slurm_conf_t *answer);

/* What slurm.conf of this host says, after slurm_init(): names, addresses and port of slurmctld.
 * Not to be changed. */
const slurm_conf_t *vmall_local_conf(void);

#ifdef __cplusplus
}
#endif

#endif
