/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Moldable and folded starts through Slurm's own select_nodes().
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/controller.h"
#include "slurmglue/internal/full_cpus.h"
#include "slurmglue/internal/gres_cpus.h"
#include "slurmglue/internal/job_nodes.h"
#include "slurmglue/internal/job_shape.h"
#include "slurmglue/internal/open_spread.h"
#include "slurmglue/internal/own_plugin.h"
#include "slurmglue/internal/part_mark.h"
#include "slurmglue/internal/time_limit.h"
#include "slurmglue/internal/whole_nodes.h"
#include "slurmglue/job_start.h"

#include "src/common/bitstring.h"
#include "src/common/node_conf.h"
#include "src/common/slurm_protocol_defs.h"
#include "src/slurmctld/fed_mgr.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/node_scheduler.h"
#include SLURM_PREEMPT_H
#include "src/slurmctld/slurmctld.h"
#include SLURM_SRUN_ALLOCATE_H

/* What a start overrides of a job while Slurm selects its cores. */
struct narrowed {
    struct vmall_request asked, shaped;
    bool leaves_spread_open;
    struct vmall_gres_request *gres;
    struct vmall_whole_request whole;
    uint32_t time_limit;
    bitstr_t *excluded;
    uint64_t flags;
};

static void launch(job_record_t *record) {
    last_job_update = time(NULL);
    if (!record->batch_flag)
        srun_allocate(record);
    else if (!IS_JOB_CONFIGURING(record))
        launch_job(record);
    rebuild_job_part_list(record);
}

/* Narrows the nodes by the job's own list of excluded ones, as sched/backfill does. */
static bitstr_t *all_but(const struct vmall_start *start, bitstr_t *excluded) {
    bitstr_t *nodes = bit_alloc(node_record_count);
    if (start->only_node_count)
        bit_set_all(nodes);
    for (uint32_t i = 0; i < start->only_node_count; i++)
        if (start->only_nodes[i] < (uint32_t)node_record_count)
            bit_clear(nodes, start->only_nodes[i]);
    if (excluded)
        bit_or(nodes, excluded);
    return nodes;
}

/* NULL: nodes have been taken out of slurm.conf since the start was decided. */
static const node_record_t *some_node(const struct vmall_start *start,
                                      const part_record_t *partition) {
    const bitoff_t first =
        start->only_node_count ? (bitoff_t)start->only_nodes[0] : bit_ffs(partition->node_bitmap);
    return first >= 0 && first < node_record_count ? node_record_table_ptr[first] : NULL;
}

static struct narrowed narrow(job_record_t *record, const struct vmall_start *start) {
    job_details_t *details = record->details;
    struct narrowed it = {.asked = vmall_save_request(details),
                          .leaves_spread_open = vmall_leaves_spread_open(record),
                          .time_limit = record->time_limit,
                          .excluded = details->exc_node_bitmap,
                          .flags = record->bit_flags};
    if (start->shape) {
        it.whole = vmall_ask_for_cores(record);
        it.shaped = vmall_shaped_request(details, start->shape, some_node(start, record->part_ptr));
        vmall_apply_request(details, &it.shaped);
        it.gres = vmall_take_cpus_off_gres(record, start->shape);
        record->bit_flags |= JOB_NTASKS_SET;
    }
    if (start->only_node_count)
        details->exc_node_bitmap = all_but(start, it.excluded);
    if (vmall_has_deadline(record))
        record->time_limit = vmall_time_limit(record, record->part_ptr);
    return it;
}

static void restore_excluded(job_details_t *details, bitstr_t *excluded) {
    if (details->exc_node_bitmap != excluded)
        FREE_NULL_BITMAP(details->exc_node_bitmap);
    details->exc_node_bitmap = excluded;
}

static void restore_time_limit(job_record_t *record, const struct narrowed *it) {
    if (vmall_has_deadline(record))
        record->time_limit = it->time_limit;
}

static void restore_request(job_record_t *record, const struct narrowed *it) {
    vmall_apply_request(record->details, &it->asked);
    record->bit_flags = (record->bit_flags & ~JOB_NTASKS_SET) | (it->flags & JOB_NTASKS_SET);
}

/* The elements of a job array that still wait: when the record that stands for them all starts one,
 * Slurm copies it for the others, with what was narrowed. */
static void restore_rest_of_array(const job_record_t *tried, const struct narrowed *it) {
    job_record_t *rest = find_job_record(tried->array_job_id);
    if (!rest || rest == tried || !IS_JOB_PENDING(rest) || !rest->details)
        return;
    restore_request(rest, it);
    if (it->whole.partition)
        vmall_ask_for_whole_nodes(rest->details, &it->whole);
    vmall_give_back_gres(rest, it->gres);
    restore_excluded(rest->details, it->excluded ? bit_copy(it->excluded) : NULL);
    restore_time_limit(rest, it);
}

/* An account, a QOS or a licence may have gone since the queue was visited. Components of a
 * heterogeneous job start together, which is Slurm's own business; so is a federation whose
 * clusters have not agreed on their jobs yet. */
static bool may_start(job_record_t *record) {
    return !record->het_job_id && fed_mgr_sibs_synced() && job_independent(record) &&
           job_limits_check(&record, true) == WAIT_NO_REASON && vmall_waits_for_cores(record);
}

static void take_back(job_record_t *record, const struct narrowed *it) {
    restore_request(record, it);
    if (it->whole.partition)
        vmall_ask_for_whole_nodes(record->details, &it->whole);
    restore_time_limit(record, it);
}

/* What it runs with is what was chosen; but if it is requeued, its spread is still open. Who has
 * not asked has what was asked for, and his scripts are told nothing that they would not be told
 * without us. */
static void keep_request(job_record_t *record, const struct narrowed *it,
                         const struct vmall_start *start) {
    vmall_note_full_cpus(record->details, start->shape, it->shaped.cpus_per_task);
    if (start->takes_part) {
        restore_request(record, it);
        return;
    }
    struct vmall_request runs = vmall_running_request(&it->asked, &it->shaped, start->shape);
    if (it->leaves_spread_open) {
        runs.min_nodes = it->asked.min_nodes;
        runs.max_nodes = it->asked.max_nodes;
    }
    vmall_apply_request(record->details, &runs);
    record->bit_flags &= ~JOB_IMPLICIT_MAX_NODES;
    vmall_tell_the_job(record->details, &runs, start->shape);
}

/* Of a federated job only the cluster that has its lock may start it. Others are asked for it over
 * the network, as they are by Slurm's own schedulers. */
static int select_with_federation_lock(job_record_t *record, uint32_t by) {
    if (fed_mgr_job_lock(record))
        return ESLURM_FED_JOB_LOCK;
    const int rc = vmall_select_nodes(record, by);
    if (rc == SLURM_SUCCESS)
        fed_mgr_job_start(record, record->start_time);
    else
        fed_mgr_job_unlock(record);
    return rc;
}

/* What Slurm selects by and a job does not keep. */
static void widen(job_record_t *record, const struct narrowed *it) {
    restore_excluded(record->details, it->excluded);
    vmall_give_back_gres(record, it->gres);
    if (it->whole.partition)
        vmall_close_partition(&it->whole);
}

static int start_in(job_record_t *record, part_record_t *partition,
                    const struct vmall_start *start) {
    const uint32_t by = start->backfilled ? SLURMDB_JOB_FLAG_BACKFILL : SLURMDB_JOB_FLAG_SCHED;
    vmall_consider_partition(record, partition);
    if (!some_node(start, partition))
        return ESLURM_INVALID_NODE_NAME;
    if (!may_start(record))
        return ESLURM_ACCOUNTING_POLICY;
    if (vmall_has_deadline(record) && !deadline_ok(record, (char *)plugin_type))
        return ESLURM_JOB_NOT_PENDING; /* Slurm has cancelled it: it would not end in time */
    const bool is_array = record->array_recs;
    struct narrowed it = narrow(record, start);
    if (start->takes_part) /* before Slurm sends for the prolog */
        vmall_set_part_mark(record);
    else
        vmall_clear_part_mark(record); /* of its last run */
    const int rc = select_with_federation_lock(record, by);
    widen(record, &it);
    if (is_array)
        restore_rest_of_array(record, &it);
    vmall_free_gres_request(it.gres);
    if (rc != SLURM_SUCCESS) {
        vmall_clear_part_mark(record);
        take_back(record, &it);
        return rc;
    }
    if (!record->details->pn_min_memory) /* Slurm goes by that of its GRES (DefMemPerGPU) */
        it.asked.pn_min_memory = 0;
    if (start->shape)
        keep_request(record, &it, start);
    launch(record);
    return SLURM_SUCCESS;
}

int vmall_start_job(const struct vmall_start *start, uint32_t *started) {
    job_record_t *record = find_job_record(start->job_id);
    part_record_t *first = find_part_record((char *)start->partition);
    if (!vmall_is_at_work())
        return ESLURM_DISABLED;
    if (!record || !record->details || !IS_JOB_PENDING(record))
        return ESLURM_JOB_NOT_PENDING;
    if (!first)
        return ESLURM_INVALID_PARTITION_NAME;
    int rc = start_in(record, first, start);
    part_record_t *other;
    list_itr_t *iterator = rc != SLURM_SUCCESS && record->part_ptr_list
                               ? list_iterator_create(record->part_ptr_list)
                               : NULL;
    while (rc != SLURM_SUCCESS && rc != ESLURM_FED_JOB_LOCK && IS_JOB_PENDING(record) && iterator &&
           (other = list_next(iterator)))
        if (vmall_is_alternative(other, first))
            rc = start_in(record, other, start);
    if (iterator)
        list_iterator_destroy(iterator);
    *started = record->job_id;
    return rc;
}

/* Slurm's plan for a waiting job. NULL: it has none. */
static will_run_response_msg_t *plan_for(job_record_t *record) {
    will_run_response_msg_t *plan = NULL;
    const time_t planned = record->start_time; /* by Slurm's own backfilling */
    record->start_time = 0;
    if (job_start_data(record, &plan) != SLURM_SUCCESS) {
        slurm_free_will_run_response_msg(plan);
        plan = NULL;
    }
    record->start_time = planned;
    return plan;
}

enum vmall_prospect vmall_prospect(const struct vmall_start *start) {
    job_record_t *record = find_job_record(start->job_id);
    part_record_t *partition = find_part_record((char *)start->partition);
    if (!record || !record->details || !IS_JOB_PENDING(record) || !partition)
        return VMALL_WOULD_WAIT;
    vmall_consider_partition(record, partition);
    if (!some_node(start, partition) || !may_start(record))
        return VMALL_WOULD_WAIT;
    const struct narrowed it = narrow(record, start);
    record->bit_flags |= TEST_NOW_ONLY;
    will_run_response_msg_t *plan = plan_for(record);
    record->bit_flags &= ~TEST_NOW_ONLY;
    widen(record, &it);
    vmall_free_gres_request(it.gres);
    take_back(record, &it);
    if (!plan)
        return VMALL_WOULD_WAIT;
    /* Not by the time in the plan: Slurm adds to it what it guesses of other jobs that wait. */
    const bool preempts = plan->preemptee_job_id && list_count(plan->preemptee_job_id);
    slurm_free_will_run_response_msg(plan);
    return preempts ? VMALL_WOULD_PREEMPT : VMALL_WOULD_START;
}

time_t vmall_expected_start(uint32_t job_id) {
    job_record_t *record = find_job_record(job_id);
    will_run_response_msg_t *plan = record && IS_JOB_PENDING(record) ? plan_for(record) : NULL;
    const time_t start = plan ? plan->start_time : 0;
    slurm_free_will_run_response_msg(plan);
    return start;
}

bool vmall_preemption_is_on(void) {
    return slurm_preemption_enabled();
}

bool vmall_may_preempt(uint32_t job_id) {
    job_record_t *record = find_job_record(job_id);
    list_t *others = record && IS_JOB_PENDING(record) ? slurm_find_preemptable_jobs(record) : NULL;
    const bool any = others && list_count(others);
    FREE_NULL_LIST(others);
    return any;
}

int vmall_requeue_job(uint32_t job_id) {
    job_record_t *record = find_job_record(job_id);
    if (!vmall_is_at_work())
        return ESLURM_DISABLED;
    return record ? vmall_requeue(record) : ESLURM_INVALID_JOB_ID;
}
