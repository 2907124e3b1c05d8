/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Changes a waiting job's request as scontrol update would.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/job_request.h"

#include "src/slurmctld/slurmctld.h"

void vmall_raise_request(uint32_t job_id, uint32_t tasks, uint32_t cpus) {
    job_record_t *record = find_job_record(job_id);
    if (!record || !record->details || !IS_JOB_PENDING(record))
        return;
    job_details_t *details = record->details;
    if (details->num_tasks < tasks) {
        details->num_tasks = tasks;
        record->bit_flags |= JOB_NTASKS_SET;
        if (record->bit_flags & JOB_IMPLICIT_MAX_NODES)
            details->max_nodes = tasks;
    }
    if (details->min_cpus < cpus) {
        details->min_cpus = details->orig_min_cpus = cpus;
        if (details->max_cpus != NO_VAL && details->max_cpus < cpus)
            details->max_cpus = details->orig_max_cpus = cpus;
        job_set_req_tres(record, false);
        last_job_update = time(NULL);
    }
}
