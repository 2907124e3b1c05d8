/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The order of steps in which a running job's cores change without any of slurmctld's books going
 * wrong.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/controller.h"
#include "slurmglue/internal/account_limits.h"
#include "slurmglue/internal/account_record.h"
#include "slurmglue/internal/job_cores.h"
#include "slurmglue/internal/partition_limit.h"
#include "slurmglue/internal/resize_usage.h"
#include "slurmglue/internal/time_limit.h"
#include "slurmglue/job_resize.h"

#include "src/common/bitstring.h"
#include "src/common/job_resources.h"
#include SLURM_SELECT_H
#include SLURM_ACCOUNTING_STORAGE_H
#include "src/common/xmalloc.h"
#include "src/slurmctld/slurmctld.h"
#include SLURM_STEPS_H

const int vmall_slurmdbd_not_ready = RECORD_HAS_NO_NUMBER;

static int check_state(const job_record_t *record) {
    if (!record)
        return ESLURM_INVALID_JOB_ID;
    if (!IS_JOB_RUNNING(record) || IS_JOB_COMPLETING(record) || IS_JOB_CONFIGURING(record) ||
        !record->details || !record->job_resrcs || !record->job_resrcs->core_bitmap)
        return ESLURM_JOB_NOT_RUNNING;
    if (record->details->whole_node || record->job_resrcs->whole_node || record->het_job_id)
        return ESLURM_NOT_SUPPORTED;
    return SLURM_SUCCESS;
}

static int check_target(const struct vmall_node_slice *slices, uint32_t slice_count,
                        const struct vmall_node_cores *target, uint32_t node_count) {
    if (node_count != slice_count)
        return ESLURM_INVALID_NODE_NAME;
    for (uint32_t n = 0; n < node_count; n++) {
        if (target[n].node != slices[n].node)
            return ESLURM_INVALID_NODE_NAME;
        if (!target[n].core_count)
            return ESLURM_INVALID_CORE_CNT;
        for (uint32_t c = 0; c < target[n].core_count; c++)
            if (target[n].cores[c] >= slices[n].cores ||
                (c && target[n].cores[c] <= target[n].cores[c - 1]))
                return ESLURM_INVALID_CORE_CNT;
    }
    return SLURM_SUCCESS;
}

struct contest {
    const job_record_t *record;
    const struct vmall_node_cores *target;
    uint32_t node_count;
};

/* list_find: does this other job hold a core of the target? Completing jobs still do, suspended
 * ones do not. */
static int holds_a_core(void *other_record, void *key) {
    const job_record_t *other = other_record;
    const struct contest *contest = key;
    if (other == contest->record || !(IS_JOB_RUNNING(other) || IS_JOB_COMPLETING(other)) ||
        !other->job_resrcs || !other->job_resrcs->core_bitmap ||
        !bit_overlap_any(other->job_resrcs->node_bitmap, contest->record->job_resrcs->node_bitmap))
        return 0;
    struct vmall_node_slice *slices = xcalloc(other->job_resrcs->nhosts, sizeof(*slices));
    vmall_find_slices(other->job_resrcs, slices);
    int found = 0;
    for (uint32_t p = 0; p < other->job_resrcs->nhosts && !found; p++)
        for (uint32_t n = 0; n < contest->node_count && !found; n++) {
            if (contest->target[n].node != slices[p].node)
                continue;
            for (uint32_t c = 0; c < contest->target[n].core_count && !found; c++)
                found = bit_test(other->job_resrcs->core_bitmap,
                                 slices[p].first_core + contest->target[n].cores[c]);
        }
    xfree(slices);
    return found;
}

static int check_limits(const job_record_t *record, const struct vmall_node_slice *slices,
                        const struct vmall_node_cores *target) {
    uint32_t cpus = 0;
    for (uint32_t n = 0; n < record->job_resrcs->nhosts; n++)
        cpus += vmall_cpus_on(record->job_resrcs, n, &slices[n], &target[n]);
    const bool allowed = (cpus <= record->total_cpus || vmall_limits_allow(record, cpus)) &&
                         vmall_partition_allows(record, slices, target);
    return allowed ? SLURM_SUCCESS : ESLURM_ACCOUNTING_POLICY;
}

/* Without this, running steps stay open in the accounting record of the old size. */
static void account_steps(job_record_t *record) {
    step_record_t *step;
    if (!record->step_list)
        return;
    list_itr_t *iterator = list_iterator_create(record->step_list);
    while ((step = list_next(iterator))) {
        if (step->state != JOB_RUNNING || !step->step_node_bitmap)
            continue;
        step_set_alloc_tres(step, bit_set_count(step->step_node_bitmap), false, true);
        jobacct_storage_g_step_start(acct_db_conn, step);
    }
    list_iterator_destroy(iterator);
}

/* A record of the new size has no number until slurmdbd gives it one, at once or never: without
 * slurmdbd, scontrol update would be refused for the rest of the job. */
static void stop_waiting_for_slurmdbd(job_record_t *record) {
    if (record->db_index == NO_VAL64)
        record->db_index = 0;
}

int vmall_resize_job(uint32_t job_id, const struct vmall_node_cores *target, uint32_t node_count,
                     uint32_t time_limit) {
    job_record_t *record = find_job_record(job_id);
    int rc = vmall_is_at_work() ? check_state(record) : ESLURM_DISABLED;
    if (rc != SLURM_SUCCESS)
        return rc;
    struct vmall_node_slice *slices = xcalloc(record->job_resrcs->nhosts, sizeof(*slices));
    vmall_find_slices(record->job_resrcs, slices);
    rc = check_target(slices, record->job_resrcs->nhosts, target, node_count);
    struct contest contest = {record, target, node_count};
    if (rc == SLURM_SUCCESS && list_find_first(job_list, holds_a_core, &contest))
        rc = ESLURM_NODES_BUSY;
    if (rc == SLURM_SUCCESS)
        rc = check_limits(record, slices, target);
    if (rc == SLURM_SUCCESS && !vmall_record_can_end(record))
        rc = vmall_slurmdbd_not_ready;
    if (rc == SLURM_SUCCESS) {
        if (time_limit)
            vmall_give_time(record, time_limit); /* slurmdbd gets it with the new record */
        struct vmall_usage *usage = vmall_usage_before(record);
        job_pre_resize_acctg(record);
        vmall_usage_between(record, usage);
        vmall_set_cores(record, slices, target);
        vmall_begin_record(record);
        vmall_usage_after(record, usage);
        stop_waiting_for_slurmdbd(record);
        account_steps(record);
        last_job_update = last_node_update = time(NULL);
        select_g_select_nodeinfo_set_all();
        queue_job_scheduler();
    }
    xfree(slices);
    return rc;
}

int vmall_try_resize(uint32_t job_id, const struct vmall_node_cores *target, uint32_t node_count) {
    job_record_t *record = find_job_record(job_id);
    int rc = check_state(record);
    if (rc != SLURM_SUCCESS)
        return rc;
    struct vmall_node_slice *slices = xcalloc(record->job_resrcs->nhosts, sizeof(*slices));
    vmall_find_slices(record->job_resrcs, slices);
    rc = check_target(slices, record->job_resrcs->nhosts, target, node_count);
    if (rc == SLURM_SUCCESS)
        vmall_set_cores(record, slices, target);
    xfree(slices);
    return rc;
}
