/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * slurmctld's answer to a command that asks for its configuration.
 */
#ifndef VMALL_GLUE_CONF_ANSWER_H
#define VMALL_GLUE_CONF_ANSWER_H

#include <slurm/slurm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Ends what slurm_load_ctl_conf() has given. */
void vmall_free_conf_answer(slurm_conf_t *answer);

#ifdef __cplusplus
}
#endif

#endif
