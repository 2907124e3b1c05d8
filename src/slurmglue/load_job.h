/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm's question for one job, by the API that all have.
 */
#ifndef VMALL_GLUE_LOAD_JOB_H
#define VMALL_GLUE_LOAD_JOB_H

#include <slurm/slurm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As slurm_load_job() until Slurm 25.11: asks slurmctld and waits for it; SLURM_SUCCESS and an
 * answer to be ended by slurm_free_job_info_msg(), or SLURM_ERROR and errno. */
int vmall_load_job(job_info_msg_t **answer, uint32_t job_id, uint16_t flags);

#ifdef __cplusplus
}
#endif

#endif
