/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Turns job records into plain values.
 */
#include "slurmglue/slurm_version.h"

#include "slurmglue/job_nodes.h"
#include "slurmglue/job_view.h"

#include "src/common/assoc_mgr.h"
#include "src/common/bitstring.h"
#include "src/common/job_resources.h"
#include "src/common/xmalloc.h"
#include "src/common/xstring.h"
#include "src/slurmctld/job_scheduler.h"
#include "src/slurmctld/slurmctld.h"

#include <stdlib.h>

/* The names of QOS are slurmdbd's to change. */
static assoc_mgr_lock_t qos_names = {.qos = READ_LOCK};

/* What a visited job's pointers point to. */
struct holder {
    struct vmall_node_cores *allotment;
    uint32_t *cores;
    uint32_t *nodes;
};

static void release(struct holder *holder) {
    xfree(holder->allotment);
    xfree(holder->cores);
    xfree(holder->nodes);
}

static uint32_t time_limit_seconds(const job_record_t *record, const part_record_t *partition) {
    uint32_t minutes = record->time_limit;
    if (minutes == NO_VAL && partition)
        minutes = partition->default_time != NO_VAL ? partition->default_time : partition->max_time;
    return minutes >= UINT32_MAX / 60 ? UINT32_MAX : minutes * 60;
}

static void fill_common(struct vmall_job *job, const job_record_t *record,
                        const part_record_t *partition) {
    const struct job_details *details = record->details;
    job->applicant = vmall_applicant_of(record);
    job->id = record->job_id;
    job->user_id = record->user_id;
    job->name = record->name ? record->name : "";
    job->partition = partition ? partition->name : "";
    job->qos = record->qos_ptr && record->qos_ptr->name ? record->qos_ptr->name : "";
    job->account = record->account ? record->account : "";
    job->submitted = details->submit_time;
    job->started = record->start_time;
    job->time_limit = time_limit_seconds(record, partition);
    job->tasks = details->num_tasks ? details->num_tasks : 1;
    job->min_nodes = details->min_nodes;
    job->max_nodes = details->max_nodes;
    job->min_cpus = details->min_cpus;
    job->configuring = IS_JOB_CONFIGURING(record);
    job->has_steps = record->step_list && list_count(record->step_list);
}

static void fill_eligible(struct vmall_job *job, struct holder *holder, bitstr_t *nodes) {
    holder->nodes = xcalloc(bit_set_count(nodes), sizeof(uint32_t));
    for (bitoff_t i = bit_ffs(nodes); i >= 0 && i < bit_size(nodes); i++)
        if (bit_test(nodes, i))
            holder->nodes[job->eligible_node_count++] = i;
    job->eligible_nodes = holder->nodes;
}

static void fill_allotment(struct vmall_job *job, struct holder *holder,
                           const job_record_t *record) {
    const job_resources_t *resources = record->job_resrcs;
    holder->allotment = xcalloc(resources->nhosts, sizeof(struct vmall_node_cores));
    holder->cores = xcalloc(bit_set_count(resources->core_bitmap) + 1, sizeof(uint32_t));
    uint32_t *next = holder->cores;
    bitoff_t first_core = 0; /* of the node, in the bitmap that strings the job's nodes together */
    for (bitoff_t i = 0;
         i < bit_size(resources->node_bitmap) && job->allotment_count < resources->nhosts; i++) {
        if (!bit_test(resources->node_bitmap, i))
            continue;
        struct vmall_node_cores *here = &holder->allotment[job->allotment_count++];
        const uint32_t cores = node_record_table_ptr[i]->tot_cores;
        *here = (struct vmall_node_cores){.node = i, .cores = next};
        for (uint32_t core = 0;
             core < cores && first_core + core < bit_size(resources->core_bitmap); core++)
            if (bit_test(resources->core_bitmap, first_core + core)) {
                *next++ = core;
                here->core_count++;
            }
        first_core += cores;
    }
    job->allotment = holder->allotment;
}

/* A user can give nodes of a running job back (scontrol update NumNodes=). Slurm leaves the number
 * of its tasks as it was; those on the nodes that stay are spread over them as before. */
static void count_tasks_that_stayed(struct vmall_job *job) {
    const uint32_t nodes = job->min_nodes; /* as it was started */
    if (job->allotment_count < nodes)
        job->tasks = (job->tasks + nodes - 1) / nodes * job->allotment_count;
}

static bool visited_before(const uint32_t *ids, uint32_t count, uint32_t id) {
    for (uint32_t i = 0; i < count; i++)
        if (ids[i] == id)
            return true;
    return false;
}

bool vmall_any_job(bool (*asked)(const struct vmall_applicant *job)) {
    bool any = false;
    const job_record_t *record;
    ListIterator iterator = list_iterator_create(job_list);
    while (!any && (record = list_next(iterator))) {
        if (!record->spank_job_env || IS_JOB_FINISHED(record))
            continue;
        const struct vmall_applicant applicant = vmall_applicant_of(record);
        any = asked(&applicant);
    }
    list_iterator_destroy(iterator);
    return any;
}

/* Nothing is shown of a job that more free cores would not help: it waits for something else. */
static void visit_waiting(vmall_visit_job visit, void *context, job_record_t *record,
                          part_record_t *partition) {
    struct vmall_job job = {.state = VMALL_JOB_WAITING};
    struct holder holder = {0};
    vmall_consider_partition(record, partition);
    if (!vmall_waits_for_cores(record))
        return;
    bitstr_t *nodes = vmall_eligible_nodes(record, partition);
    if (!nodes)
        return;
    assoc_mgr_lock(&qos_names);
    fill_common(&job, record, partition);
    job.started = 0;
    fill_eligible(&job, &holder, nodes);
    visit(context, &job);
    release(&holder);
    assoc_mgr_unlock(&qos_names);
    bit_free(nodes);
}

void vmall_visit_queue(vmall_visit_job visit, void *context) {
    List queue = build_job_queue(true, true);
    sort_job_queue(queue);
    uint32_t *seen = xcalloc(list_count(queue) + 1, sizeof(uint32_t));
    uint32_t seen_count = 0;
    job_queue_rec_t *entry;
    while ((entry = list_pop(queue))) {
        job_record_t *record = entry->job_ptr;
        /* A list of partitions makes several entries of one job; they are rare, so a linear search
         * does. */
        const bool again =
            record->part_ptr_list && visited_before(seen, seen_count, record->job_id);
        /* Components of het jobs start together, which is the main scheduler's business. */
        if (!again && record->details && IS_JOB_PENDING(record) && !record->het_job_id) {
            visit_waiting(visit, context, record, entry->part_ptr);
            seen[seen_count++] = record->job_id;
        }
        xfree(entry);
    }
    xfree(seen);
    FREE_NULL_LIST(queue);
}

static int by_id(const void *a, const void *b) {
    const uint32_t left = (*(job_record_t *const *)a)->job_id,
                   right = (*(job_record_t *const *)b)->job_id;
    return (left > right) - (left < right);
}

void vmall_visit_active(vmall_visit_job visit, void *context) {
    job_record_t **active = xcalloc(list_count(job_list) + 1, sizeof(job_record_t *));
    uint32_t count = 0;
    job_record_t *record;
    ListIterator iterator = list_iterator_create(job_list);
    while ((record = list_next(iterator)))
        if ((IS_JOB_RUNNING(record) || IS_JOB_SUSPENDED(record) || IS_JOB_COMPLETING(record)) &&
            record->details && record->job_resrcs && record->job_resrcs->core_bitmap &&
            record->job_resrcs->node_bitmap)
            active[count++] = record;
    list_iterator_destroy(iterator);
    qsort(active, count, sizeof(*active), by_id);
    assoc_mgr_lock(&qos_names);
    for (uint32_t i = 0; i < count; i++) {
        struct vmall_job job = {.state = IS_JOB_COMPLETING(active[i])  ? VMALL_JOB_COMPLETING
                                         : IS_JOB_SUSPENDED(active[i]) ? VMALL_JOB_SUSPENDED
                                                                       : VMALL_JOB_RUNNING};
        struct holder holder = {0};
        fill_common(&job, active[i], active[i]->part_ptr);
        fill_allotment(&job, &holder, active[i]);
        count_tasks_that_stayed(&job);
        visit(context, &job);
        release(&holder);
    }
    assoc_mgr_unlock(&qos_names);
    xfree(active);
}

time_t vmall_expected_start(uint32_t job_id) {
    job_record_t *record = find_job_record(job_id);
    will_run_response_msg_t *answer = NULL;
    time_t start = 0;
    if (!record || !IS_JOB_PENDING(record))
        return 0;
    const time_t planned = record->start_time; /* by Slurm's own backfilling */
    record->start_time = 0;
    if (job_start_data(record, &answer) == SLURM_SUCCESS && answer)
        start = answer->start_time;
    record->start_time = planned;
    slurm_free_will_run_response_msg(answer);
    return start;
}

void vmall_set_wait_reason(uint32_t job_id, bool head, const char *why) {
    job_record_t *record = find_job_record(job_id);
    if (!record || !IS_JOB_PENDING(record))
        return;
    const uint32_t reason = head ? WAIT_RESOURCES : WAIT_PRIORITY;
    if (record->state_reason == reason && !xstrcmp(record->state_desc, why))
        return;
    /* Only what the schedulers themselves set is replaced: holds, limits and dependencies say more.
     */
    if (record->state_reason != WAIT_NO_REASON && record->state_reason != WAIT_RESOURCES &&
        record->state_reason != WAIT_PRIORITY)
        return;
    record->state_reason = reason;
    xfree(record->state_desc);
    record->state_desc = xstrdup(why);
    last_job_update = time(NULL);
}
