/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What Slurm's own schedulers ask before they look for cores.
 */
#include "slurmglue/internal/job_nodes.h"

#include "src/common/list.h"
#include "src/slurmctld/licenses.h"
#include "src/slurmctld/reservation.h"

/* Needs slurmctld.h before it. */
#include "src/slurmctld/acct_policy.h"
#include SLURM_WAIT_REASONS_H

void vmall_consider_partition(job_record_t *job, part_record_t *partition) {
    job->part_ptr = partition;
    job->details->features_use = job->details->features;
    job->details->feature_list_use = job->details->feature_list;
}

bool vmall_is_alternative(const part_record_t *other, const part_record_t *first) {
    return other != first && (other->state_up & PARTITION_SCHED) &&
           (other->max_share == 0) == (first->max_share == 0);
}

bool vmall_waits_for_cores(job_record_t *job) {
    const bool in_array = job->array_recs || job->array_task_id != NO_VAL;
    if (in_array && !job_array_start_test(job))
        return false;
    if (!acct_policy_job_runnable_state(job) && !acct_policy_job_runnable_pre_select(job, false))
        return false;
    return license_job_test(job, time(NULL), true) == SLURM_SUCCESS;
}

/* Looking at every node for every job takes long where there are many of both. */
static bool asks_for_a_kind_of_node(const job_details_t *details) {
    const multi_core_data_t *cores = details->mc_ptr;
    return details->features || details->pn_min_tmp_disk ||
           (details->pn_min_memory && !(details->pn_min_memory & MEM_PER_CPU)) ||
           (cores && (cores->sockets_per_node != NO_VAL16 || cores->cores_per_socket != NO_VAL16 ||
                      cores->threads_per_core != NO_VAL16));
}

static void remove_unfit(job_record_t *job, bitstr_t *nodes) {
    const job_details_t *details = job->details;
    if (details->exc_node_bitmap)
        bit_and_not(nodes, details->exc_node_bitmap);
    if (details->req_node_bitmap &&
        bit_set_count(details->req_node_bitmap) >= (int)details->min_nodes)
        bit_and(nodes, details->req_node_bitmap);
    if (asks_for_a_kind_of_node(details) && job_req_node_filter(job, nodes, false))
        bit_clear_all(nodes);
}

/* NULL: none, reservations are in the way. */
static bitstr_t *nodes_by_reservations(job_record_t *job) {
    time_t now = time(NULL);
    bitstr_t *nodes = NULL;
    resv_exc_t excluded = {0};
    bool overlap;
    /* As Slurm answers then, but without a look at every node. */
    if (!job->resv_name && !list_count(resv_list))
        return bit_copy(avail_node_bitmap);
    if (vmall_test_reservations(job, &now, &nodes, &excluded, &overlap) == SLURM_SUCCESS)
        bit_and(nodes, avail_node_bitmap);
    else
        FREE_NULL_BITMAP(nodes);
    reservation_delete_resv_exc_parts(&excluded);
    return nodes;
}

static bitstr_t *nodes_in(job_record_t *job, part_record_t *partition) {
    vmall_consider_partition(job, partition);
    bitstr_t *nodes = nodes_by_reservations(job);
    if (nodes) {
        bit_and(nodes, partition->node_bitmap);
        remove_unfit(job, nodes);
    }
    return nodes;
}

bitstr_t *vmall_eligible_nodes(job_record_t *job, part_record_t *first) {
    bitstr_t *nodes = nodes_in(job, first);
    part_record_t *other;
    list_itr_t *iterator = job->part_ptr_list ? list_iterator_create(job->part_ptr_list) : NULL;
    while (iterator && (other = list_next(iterator))) {
        if (!vmall_is_alternative(other, first))
            continue;
        bitstr_t *more = nodes_in(job, other);
        if (nodes && more)
            bit_or(nodes, more);
        if (nodes)
            FREE_NULL_BITMAP(more);
        else
            nodes = more;
    }
    if (iterator)
        list_iterator_destroy(iterator);
    vmall_consider_partition(job, first);
    if (nodes && bit_ffs(nodes) < 0)
        FREE_NULL_BITMAP(nodes);
    return nodes;
}
