/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Turns a job's record into a plain value.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/internal/applicant_of.h"
#include "slurmglue/internal/gres_cpus.h"
#include "slurmglue/internal/gres_nodes.h"
#include "slurmglue/internal/job_fields.h"
#include "slurmglue/internal/job_shape.h"
#include "slurmglue/internal/next_reservation.h"
#include "slurmglue/internal/open_spread.h"
#include "slurmglue/internal/time_limit.h"

#include "src/common/assoc_mgr.h"
#include "src/slurmctld/slurmctld.h"

static void fill_time(struct vmall_job *job, const job_record_t *record,
                      const part_record_t *partition) {
    job->time_limit = vmall_limit_seconds(vmall_time_limit(record, partition));
    job->partition_limit = vmall_limit_seconds(partition ? partition->max_time : INFINITE);
    job->qos_limit = vmall_limit_seconds(vmall_qos_time_limit(record));
    job->deadline = vmall_has_deadline(record) ? record->deadline : 0;
    job->reservation_ends = vmall_own_reservation_end(record);
}

static uint32_t het_components(const job_record_t *record) {
    const job_record_t *leader = record->het_job_id ? find_job_record(record->het_job_id) : NULL;
    return leader && leader->het_job_list ? list_count(leader->het_job_list) : 0;
}

static uint32_t fewest_nodes(const job_record_t *record, const part_record_t *partition) {
    const uint32_t asked = record->details->min_nodes;
    if (!IS_JOB_PENDING(record) || !partition)
        return asked;
    const uint32_t of_gres = vmall_nodes_for_gres(record, partition);
    return MAX(asked, of_gres);
}

void vmall_fill_job(struct vmall_job *job, const job_record_t *record,
                    const part_record_t *partition) {
    const job_details_t *details = record->details;
    const struct vmall_gres_cpus of_gres = vmall_cpus_of_gres(record, partition);
    job->applicant = vmall_applicant_of(record);
    job->id = record->job_id;
    job->user_id = record->user_id;
    job->name = record->name ? record->name : "";
    job->partition = partition ? partition->name : "";
    job->qos = record->qos_ptr && record->qos_ptr->name ? record->qos_ptr->name : "";
    job->account = record->account ? record->account : "";
    job->partition_tier = partition ? partition->priority_tier : 0;
    job->qos_priority = record->qos_ptr ? record->qos_ptr->priority : 0;
    job->submitted = details->submit_time;
    job->waits_since = MAX(details->submit_time, details->begin_time);
    job->started = record->start_time;
    job->run = record->restart_cnt;
    fill_time(job, record, partition);
    job->tasks = details->num_tasks ? details->num_tasks : 1;
    job->min_nodes = fewest_nodes(record, partition);
    job->max_nodes = record->bit_flags & JOB_IMPLICIT_MAX_NODES ? 0 : details->max_nodes;
    job->tasks_per_node = vmall_tasks_per_node(details);
    job->any_spread = vmall_leaves_spread_open(record);
    job->cpus_per_task = MAX(vmall_cpus_per_task(details), of_gres.of_task);
    job->gres_cpus = of_gres.of_job;
    job->threads_per_core = vmall_threads_per_core(details);
    job->min_cpus = details->min_cpus;
    job->het_job = record->het_job_id;
    job->het_components = het_components(record);
    job->planned_start = IS_JOB_PENDING(record) ? record->start_time : 0;
    job->configuring = IS_JOB_CONFIGURING(record);
    job->nodes_booting = IS_JOB_POWER_UP_NODE(record);
    job->has_steps = record->step_list && list_count(record->step_list);
}
