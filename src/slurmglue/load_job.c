/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What names a job in the question differs.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/load_job.h"

int vmall_load_job(job_info_msg_t **answer, uint32_t job_id, uint16_t flags) {
    return slurm_load_job(answer, ASKED_JOB(job_id), flags);
}
