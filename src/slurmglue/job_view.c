/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Jobs that hold cores, and which those are.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/internal/account_record.h"
#include "slurmglue/internal/applicant_of.h"
#include "slurmglue/internal/job_cores.h"
#include "slurmglue/internal/job_fields.h"
#include "slurmglue/internal/next_reservation.h"
#include "slurmglue/internal/node_state.h"
#include "slurmglue/internal/qos_names.h"
#include "slurmglue/internal/task_layout.h"
#include "slurmglue/internal/time_limit.h"
#include "slurmglue/job_view.h"

#include "src/common/bitstring.h"
#include "src/common/job_resources.h"
#include "src/common/xmalloc.h"
#include "src/slurmctld/slurmctld.h"

#include <stdlib.h>

/* A user can give nodes of a running job back (scontrol update NumNodes=). Slurm leaves the number
 * of its tasks as it was; those on the nodes that stay are spread over them as before. */
static void count_tasks_that_stayed(const job_record_t *record, struct vmall_job *job) {
    const uint32_t noted = vmall_nodes_of_task_layout(record->details);
    const uint32_t nodes = noted ? noted : job->min_nodes; /* as it was started */
    if (job->allotment_count < nodes)
        job->tasks = (job->tasks + nodes - 1) / nodes * job->allotment_count;
}

static void add_count(const job_resources_t *resources, const struct vmall_node_slice *slice,
                      void *context) {
    struct vmall_job *job = context;
    struct vmall_node_count *counts = (struct vmall_node_count *)job->allotment;
    const uint32_t n = job->allotment_count++;
    counts[n] = (struct vmall_node_count){
        slice->node,
        bit_set_count_range(resources->core_bitmap, slice->first_core,
                            slice->first_core + slice->cores),
        resources->memory_allocated && n < resources->nhosts ? resources->memory_allocated[n] : 0};
}

struct question {
    bool (*asked)(const struct vmall_applicant *job, const void *context);
    const void *context;
    bool unasked;
};

static int is_true_of(void *job, void *question) {
    const job_record_t *record = job;
    const struct question *wanted = question;
    if ((!record->spank_job_env && !wanted->unasked) || IS_JOB_FINISHED(record))
        return 0;
    const struct vmall_applicant applicant = vmall_applicant_of(record);
    return wanted->asked(&applicant, wanted->context);
}

bool vmall_any_job(bool (*asked)(const struct vmall_applicant *job, const void *context),
                   const void *context, bool unasked) {
    struct question question = {asked, context, unasked};
    vmall_lock_qos_names();
    const bool found = list_find_first_ro(job_list, is_true_of, &question);
    vmall_unlock_qos_names();
    return found;
}

static bool has_cores(const job_record_t *record) {
    return (IS_JOB_RUNNING(record) || IS_JOB_SUSPENDED(record) || IS_JOB_COMPLETING(record)) &&
           record->details && record->job_resrcs && record->job_resrcs->core_bitmap &&
           record->job_resrcs->node_bitmap;
}

static time_t allotment_since(const job_record_t *record) {
    if (IS_JOB_COMPLETING(record))
        return record->end_time;
    return MAX(record->start_time, MAX(record->resize_time, record->suspend_time));
}

static uint32_t time_suspended(const job_record_t *record) {
    const time_t now = time(NULL);
    return IS_JOB_COMPLETING(record) ? record->tot_sus_time
                                     : now - record->start_time - vmall_time_run(record, now);
}

static void visit_active(const job_record_t *record, vmall_visit_job visit, void *context) {
    struct vmall_job job = {.state = IS_JOB_COMPLETING(record)  ? VMALL_JOB_COMPLETING
                                     : IS_JOB_SUSPENDED(record) ? VMALL_JOB_SUSPENDED
                                                                : VMALL_JOB_RUNNING};
    const uint32_t nodes = bit_set_count(record->job_resrcs->node_bitmap);
    struct vmall_node_count *counts = xcalloc(nodes + 1, sizeof(*counts));
    uint32_t *tasks = xcalloc(nodes + 1, sizeof(*tasks));
    job.allotment = counts;
    vmall_fill_job(&job, record, record->part_ptr);
    vmall_visit_slices(record->job_resrcs, add_count, &job);
    if (vmall_read_task_layout(record->details, tasks, job.allotment_count))
        job.tasks_on = tasks;
    count_tasks_that_stayed(record, &job);
    job.suspended = time_suspended(record);
    job.reserved = vmall_next_reservation(record, record->job_resrcs->node_bitmap);
    job.record_can_end = vmall_record_can_end(record);
    job.allotment_since = allotment_since(record);
    visit(context, &job);
    xfree(counts);
    xfree(tasks);
}

static int by_id(const void *a, const void *b) {
    const uint32_t left = (*(job_record_t *const *)a)->job_id,
                   right = (*(job_record_t *const *)b)->job_id;
    return (left > right) - (left < right);
}

struct active_jobs {
    job_record_t **records;
    uint32_t count;
};

static int add_active(void *record, void *context) {
    struct active_jobs *active = context;
    if (has_cores(record))
        active->records[active->count++] = record;
    return 0;
}

void vmall_visit_active(vmall_visit_job visit, void *context) {
    struct active_jobs active = {xcalloc(list_count(job_list) + 1, sizeof(job_record_t *)), 0};
    list_for_each_ro(job_list, add_active, &active);
    qsort(active.records, active.count, sizeof(*active.records), by_id);
    vmall_lock_qos_names();
    for (uint32_t i = 0; i < active.count; i++)
        visit_active(active.records[i], visit, context);
    vmall_unlock_qos_names();
    xfree(active.records);
}

void vmall_visit_active_job(uint32_t job_id, vmall_visit_job visit, void *context) {
    const job_record_t *record = find_job_record(job_id);
    if (!record || !has_cores(record))
        return;
    vmall_lock_qos_names();
    visit_active(record, visit, context);
    vmall_unlock_qos_names();
}

struct core_visit {
    vmall_visit_node_cores visit;
    void *context;
};

static void visit_cores(const job_resources_t *resources, const struct vmall_node_slice *slice,
                        void *context) {
    const struct core_visit *to = context;
    uint32_t *cores = xcalloc(slice->cores + 1, sizeof(*cores));
    struct vmall_node_cores here = {.node = slice->node, .cores = cores};
    for (uint32_t core = 0; core < slice->cores; core++)
        if (bit_test(resources->core_bitmap, slice->first_core + core))
            cores[here.core_count++] = core;
    to->visit(to->context, &here);
    xfree(cores);
}

void vmall_visit_held_cores(uint32_t job_id, vmall_visit_node_cores visit, void *context) {
    const job_record_t *record = find_job_record(job_id);
    struct core_visit to = {visit, context};
    if (record && has_cores(record))
        vmall_visit_slices(record->job_resrcs, visit_cores, &to);
}

/* The job's nodes strung together, with the cores that nobody holds set. */
struct free_cores {
    const job_resources_t *resources;
    bitstr_t *cores;
    bitoff_t *first_core; /* by node index; -1: not a node of the job */
};

static void add_usable(const job_resources_t *resources, const struct vmall_node_slice *slice,
                       void *context) {
    (void)resources;
    struct free_cores *free_cores = context;
    const node_record_t *node = node_record_table_ptr[slice->node];
    free_cores->first_core[slice->node] = slice->first_core;
    if (!vmall_is_usable(node))
        return;
    for (uint32_t core = 0; core < slice->cores; core++)
        if (!node->node_spec_bitmap || bit_test(node->node_spec_bitmap, core))
            bit_set(free_cores->cores, slice->first_core + core);
}

static void take_held(const job_resources_t *resources, const struct vmall_node_slice *slice,
                      void *context) {
    const struct free_cores *free_cores = context;
    const bitoff_t first = free_cores->first_core[slice->node];
    for (uint32_t core = 0; first >= 0 && core < slice->cores; core++)
        if (bit_test(resources->core_bitmap, slice->first_core + core))
            bit_clear(free_cores->cores, first + core);
}

/* list_for_each: jobs that are completing hold their cores, suspended ones do not. */
static int take_from_free(void *other_record, void *context) {
    const job_record_t *other = other_record;
    const struct free_cores *free_cores = context;
    if (has_cores(other) && !IS_JOB_SUSPENDED(other) &&
        bit_overlap_any(other->job_resrcs->node_bitmap, free_cores->resources->node_bitmap))
        vmall_visit_slices(other->job_resrcs, take_held, context);
    return 0;
}

void vmall_visit_free_cores(uint32_t job_id, vmall_visit_node_cores visit, void *context) {
    const job_record_t *record = find_job_record(job_id);
    if (!record || !has_cores(record))
        return;
    struct free_cores free_cores = {record->job_resrcs,
                                    bit_alloc(bit_size(record->job_resrcs->core_bitmap)),
                                    xcalloc(node_record_count, sizeof(bitoff_t))};
    for (int i = 0; i < node_record_count; i++)
        free_cores.first_core[i] = -1;
    vmall_visit_slices(record->job_resrcs, add_usable, &free_cores);
    list_for_each(job_list, take_from_free, &free_cores);
    struct core_visit to = {visit, context};
    const job_resources_t free_resources = {.node_bitmap = record->job_resrcs->node_bitmap,
                                            .core_bitmap = free_cores.cores};
    vmall_visit_slices(&free_resources, visit_cores, &to);
    bit_free(free_cores.cores);
    xfree(free_cores.first_core);
}

struct node_to_find {
    uint32_t node;
    bool found;
};

/* A step that waits for its srun to ask again is nowhere yet. */
static bool is_placeholder(const step_record_t *step) {
    return step->step_id.step_id == SLURM_PENDING_STEP;
}

/* list_for_each: ends with the first step that has the node, or that does not say where it is. */
static int find_step_on(void *step_record, void *context) {
    const step_record_t *step = step_record;
    struct node_to_find *wanted = context;
    if (is_placeholder(step))
        return 0;
    wanted->found = !step->step_node_bitmap || bit_test(step->step_node_bitmap, wanted->node);
    return wanted->found ? -1 : 0;
}

bool vmall_has_step_on(uint32_t job_id, uint32_t node) {
    const job_record_t *record = find_job_record(job_id);
    struct node_to_find wanted = {node, false};
    if (record && record->step_list)
        list_for_each(record->step_list, find_step_on, &wanted);
    return wanted.found;
}

time_t vmall_job_end(uint32_t job_id) {
    const job_record_t *record = find_job_record(job_id);
    return record ? record->end_time : 0;
}
