/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Goes by who is there: suspended and completing jobs, too.
 */
#include "slurmglue/internal/strangers.h"

#include "slurmglue/internal/whole_nodes.h"

#include "src/common/list.h"
#include "src/common/xstring.h"
#include SLURM_PREEMPT_H

/* Programs with libslurm load select/cons_tres_vmall, too, and have neither. */
#pragma weak job_list
#pragma weak node_record_count

struct beside {
    const job_record_t *job;
    enum vmall_company company;
    list_t *preemptees;
    bitstr_t *nodes;
    list_t *preempted;
};

/* While the job is started, its own partition does not look like one that gives out whole nodes. */
static bool may_lend(const job_record_t *other, const job_record_t *job) {
    return other->part_ptr &&
           (other->part_ptr == job->part_ptr || other->part_ptr->max_share == 0) &&
           vmall_was_started_to_lend(other);
}

static bool is_stranger(const job_record_t *other, const struct beside *beside) {
    const job_record_t *job = beside->job;
    if (!may_lend(other, job))
        return true;
    switch (beside->company) {
    case VMALL_ANY_COMPANY:
        return false;
    case VMALL_SAME_PARTITION:
        return other->part_ptr != job->part_ptr;
    case VMALL_SAME_ACCOUNT:
        return !job->account || xstrcmp(other->account, job->account);
    case VMALL_SAME_USER:
        return other->user_id != job->user_id;
    case VMALL_NO_COMPANY:
        break;
    }
    return true;
}

/* list_find */
static int is_same(void *job, void *other) {
    return job == other;
}

static bool would_leave(job_record_t *job) {
    const uint16_t mode = slurm_job_preempt_mode(job);
    return mode == PREEMPT_MODE_REQUEUE || mode == PREEMPT_MODE_CANCEL;
}

static bool is_there(const job_record_t *job) {
    return job->node_bitmap &&
           (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job) || IS_JOB_COMPLETING(job));
}

/* list_for_each */
static int add_nodes_of_stranger(void *other_record, void *context) {
    job_record_t *other = other_record;
    const struct beside *beside = context;
    if (!is_there(other) || !is_stranger(other, beside))
        return 0;
    const bool spared = beside->preemptees &&
                        list_find_first_ro(beside->preemptees, is_same, other) &&
                        would_leave(other);
    if (!spared)
        bit_or(beside->nodes, other->node_bitmap);
    return 0;
}

bitstr_t *vmall_nodes_of_strangers(const job_record_t *job, enum vmall_company company,
                                   list_t *preemptees) {
    struct beside beside = {job, company, preemptees, bit_alloc(node_record_count), NULL};
    list_for_each_ro(job_list, add_nodes_of_stranger, &beside);
    return beside.nodes;
}

/* list_for_each */
static int preempt_stranger(void *other_record, void *context) {
    job_record_t *other = other_record;
    struct beside *beside = context;
    if (is_there(other) && is_stranger(other, beside) &&
        bit_overlap_any(beside->nodes, other->node_bitmap) &&
        !list_find_first(beside->preempted, is_same, other))
        list_append(beside->preempted, other);
    return 0;
}

void vmall_preempt_strangers(const job_record_t *job, enum vmall_company company,
                             list_t *preemptees, const bitstr_t *nodes, list_t **preempted) {
    if (!*preempted)
        *preempted = list_create(NULL);
    struct beside beside = {job, company, preemptees, (bitstr_t *)nodes, *preempted};
    list_for_each(preemptees, preempt_stranger, &beside);
    if (!list_count(*preempted))
        FREE_NULL_LIST(*preempted);
}
