/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Takes the first jobs from Slurm's queue, and finds where each may run.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/internal/job_fields.h"
#include "slurmglue/internal/job_nodes.h"
#include "slurmglue/internal/next_reservation.h"
#include "slurmglue/internal/qos_names.h"
#include "slurmglue/queue_view.h"

#include "src/common/bitstring.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/slurmctld.h"

#include <stdlib.h>

typedef job_queue_rec_t *entry_t;

/* What a partition says of consumable resources replaces what slurm.conf does. */
static bool counts_memory(const part_record_t *partition) {
    const uint32_t counted =
        partition && partition->cr_type ? partition->cr_type : slurm_conf.select_type_param;
    return counted & CR_MEMORY;
}

/* Memory that goes by GRES is left out. */
static struct vmall_memory_request memory_request(const job_record_t *record,
                                                  const part_record_t *partition) {
    struct vmall_memory_request request = {0};
    const uint64_t asked = record->details->pn_min_memory;
    if (!counts_memory(partition) || record->gres_list_req)
        return request;
    if (asked & MEM_PER_CPU)
        request.of_each_cpu = asked & ~MEM_PER_CPU;
    else
        request.of_each_node = asked ? asked : UINT64_MAX;
    return request;
}

static int by_priority(const void *a, const void *b) {
    return sort_job_queue2((void *)a, (void *)b);
}

/* Restores the heap, whose root is the entry of lowest priority, after `at` was replaced. */
static void sift_down(entry_t *heap, uint32_t count, uint32_t at) {
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && by_priority(&heap[child + 1], &heap[child]) > 0)
            child++;
        if (by_priority(&heap[child], &heap[at]) <= 0)
            return;
        entry_t lower = heap[child];
        heap[child] = heap[at];
        heap[at] = lower;
    }
}

/* Empties the queue; `first` has room for `limit` entries and gets those of highest priority, in
 * order. Sorting a long queue for its first few would take longer than all the rest of a pass. */
static uint32_t take_first(list_t *queue, entry_t *first, uint32_t limit) {
    uint32_t count = 0;
    entry_t entry;
    while (count < limit && (entry = list_pop(queue)))
        first[count++] = entry;
    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(first, count, i);
    while (count && (entry = list_pop(queue))) {
        if (by_priority(&entry, &first[0]) < 0) {
            entry_t dropped = first[0];
            first[0] = entry;
            sift_down(first, count, 0);
            entry = dropped;
        }
        xfree(entry);
    }
    qsort(first, count, sizeof(*first), by_priority);
    return count;
}

/* Distinct sets of nodes; few, as jobs of one partition mostly have the same. */
struct node_sets {
    struct node_set {
        bitstr_t *bitmap;
        uint32_t *nodes;
        uint32_t count;
    } * sets;
    uint32_t count;
};

static const struct node_set *find_set(struct node_sets *known, bitstr_t *bitmap) {
    for (uint32_t i = 0; i < known->count; i++)
        if (bit_equal(known->sets[i].bitmap, bitmap))
            return &known->sets[i];
    xrecalloc(known->sets, known->count + 1, sizeof(*known->sets));
    struct node_set *set = &known->sets[known->count++];
    set->bitmap = bit_copy(bitmap);
    set->nodes = xcalloc(bit_set_count(bitmap) + 1, sizeof(uint32_t));
    for (bitoff_t i = 0; i < bit_size(bitmap); i++)
        if (bit_test(bitmap, i))
            set->nodes[set->count++] = i;
    return set;
}

static void release_sets(struct node_sets *known) {
    for (uint32_t i = 0; i < known->count; i++) {
        bit_free(known->sets[i].bitmap);
        xfree(known->sets[i].nodes);
    }
    xfree(known->sets);
}

static bool visited_before(const uint32_t *ids, uint32_t count, uint32_t id) {
    for (uint32_t i = 0; i < count; i++)
        if (ids[i] == id)
            return true;
    return false;
}

/* Nothing is shown of a job that more free cores would not help: it waits for something else. */
static void visit_waiting(vmall_visit_job visit, void *context, job_record_t *record,
                          part_record_t *partition, struct node_sets *known) {
    struct vmall_job job = {.state = VMALL_JOB_WAITING};
    vmall_consider_partition(record, partition);
    bitstr_t *nodes =
        vmall_waits_for_cores(record) ? vmall_eligible_nodes(record, partition) : NULL;
    if (!nodes)
        return;
    const struct node_set *set = find_set(known, nodes);
    job.eligible_nodes = set->nodes;
    job.eligible_node_count = set->count;
    vmall_lock_qos_names();
    vmall_fill_job(&job, record, partition);
    job.started = 0;
    job.reserved = vmall_next_reservation(record, nodes);
    job.memory = memory_request(record, partition);
    visit(context, &job);
    vmall_unlock_qos_names();
    bit_free(nodes);
}

uint32_t vmall_queue_limit(void) {
    const char *option = xstrcasestr(slurm_conf.sched_params, "bf_max_job_test=");
    const long limit = option ? strtol(strchr(option, '=') + 1, NULL, 10) : 0;
    return limit > 0 && limit <= 1000000 ? limit : 500; /* as sched/backfill */
}

void vmall_visit_queue(uint32_t limit, vmall_visit_job visit, void *context) {
    /* Start times stay: they are what sched/backfill has planned. */
    list_t *queue = build_job_queue(false, true);
    entry_t *first = xcalloc(limit + 1, sizeof(*first));
    uint32_t *seen = xcalloc(limit + 1, sizeof(*seen));
    uint32_t seen_count = 0;
    struct node_sets sets = {0};
    const uint32_t count = take_first(queue, first, limit);
    for (uint32_t i = 0; i < count; i++) {
        job_record_t *record = first[i]->job_ptr;
        /* Lists of partitions and of reservations make several entries of one job; there are few
         * entries, so a linear search does. */
        const bool again = visited_before(seen, seen_count, record->job_id);
        if (!again && record->details && IS_JOB_PENDING(record)) {
            visit_waiting(visit, context, record, first[i]->part_ptr, &sets);
            seen[seen_count++] = record->job_id;
        }
        xfree(first[i]);
    }
    release_sets(&sets);
    xfree(seen);
    xfree(first);
    FREE_NULL_LIST(queue);
}
