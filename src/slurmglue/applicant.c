/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Reads it from the job's record.
 */
#include "slurmglue/slurm_version.h"

#include "slurmglue/applicant.h"

#include "src/slurmctld/slurmctld.h"

struct vmall_applicant vmall_applicant_of(const struct job_record *job, bool exclusive_partition) {
    const struct job_details *details = job->details;
    struct vmall_applicant applicant = {
        .spank_environment = (const char *const *)job->spank_job_env,
        .spank_environment_count = job->spank_job_env ? job->spank_job_env_size : 0,
        .whole_nodes =
            exclusive_partition || (details && details->whole_node == WHOLE_NODE_REQUIRED),
        .fixed = job->het_job_id || (job->gres_list_req && list_count(job->gres_list_req)),
        .cpus_per_task = 1,
    };
    /* NO_VAL16: the user left it open. */
    if (details && details->cpus_per_task && details->cpus_per_task != NO_VAL16)
        applicant.cpus_per_task = details->cpus_per_task;
    return applicant;
}
