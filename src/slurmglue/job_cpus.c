/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * By Slurm's API.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/job_cpus.h"
#include "slurmglue/load_job.h"

static bool has_fewer(const slurm_job_info_t *job) {
    const bool is_said = job->cpus_per_task && job->cpus_per_task != NO_VAL16;
    return job->num_cpus < (uint64_t)job->num_tasks * (is_said ? job->cpus_per_task : 1);
}

bool vmall_has_fewer_cpus_than_asked(uint32_t job_id) {
    job_info_msg_t *jobs = NULL;
    if (vmall_load_job(&jobs, job_id, 0) != SLURM_SUCCESS)
        return false;
    const bool answer = jobs->record_count == 1 && has_fewer(jobs->job_array);
    slurm_free_job_info_msg(jobs);
    return answer;
}
