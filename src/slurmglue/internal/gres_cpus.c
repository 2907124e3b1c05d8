/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Slurm keeps a request for GRES as a list, and the sum of it as another that it makes when it
 * needs it.
 */
#include "slurmglue/internal/gres_cpus.h"

#include "src/common/xmalloc.h"
#include "src/common/xstring.h"

#include SLURM_GRES_H

/* list_find */
static int is_cpus_per_gpu(void *job_default, void *unused) {
    (void)unused;
    return ((const job_defaults_t *)job_default)->type == JOB_DEF_CPU_PER_GPU;
}

static uint32_t default_in(list_t *job_defaults) {
    const job_defaults_t *found =
        job_defaults ? list_find_first(job_defaults, is_cpus_per_gpu, NULL) : NULL;
    return found ? found->value : 0;
}

/* DefCpuPerGPU holds where a job has no --cpus-per-task. */
static uint32_t default_cpus_per_gpu(const job_record_t *record, const part_record_t *partition) {
    if (record->details->orig_cpus_per_task != NO_VAL16)
        return 0;
    const uint32_t of_partition = partition ? default_in(partition->job_defaults_list) : 0;
    return of_partition ? of_partition : default_in(slurm_conf.job_defaults_list);
}

static uint32_t at_least_1(uint32_t count) {
    return count ? count : 1;
}

struct count {
    uint32_t by_default, nodes;
    struct vmall_gres_cpus cpus;
};

/* list_for_each */
static int add_cpus(void *gres_state, void *context) {
    const gres_state_t *state = gres_state;
    const gres_job_state_t *gres = state->gres_data;
    struct count *count = context;
    const uint32_t by_default = xstrcmp(state->gres_name, "gpu") ? 0 : count->by_default;
    const uint32_t per_gres = gres->cpus_per_gres ? gres->cpus_per_gres : by_default;
    if (gres->gres_per_task)
        count->cpus.of_task += per_gres * gres->gres_per_task;
    else if (gres->gres_per_job)
        count->cpus.of_job += per_gres * gres->gres_per_job;
    else
        count->cpus.of_job += per_gres * gres->gres_per_node * count->nodes;
    return 0;
}

struct vmall_gres_cpus vmall_cpus_of_gres(const job_record_t *record,
                                          const part_record_t *partition) {
    struct count count = {.by_default = default_cpus_per_gpu(record, partition),
                          .nodes = at_least_1(record->details->min_nodes)};
    if (record->gres_list_req)
        list_for_each(record->gres_list_req, add_cpus, &count);
    return count.cpus;
}

struct counts {
    uint16_t cpus_per_gres;
    uint64_t per_job, per_node, per_task, total;
};

struct vmall_gres_request {
    uint16_t orig_cpus_per_task;
    char *cpus_per_tres;
    struct vmall_shape shape;
    uint32_t count;
    struct counts counts[];
};

static void count_by_node(gres_job_state_t *gres, const struct vmall_shape *shape) {
    const uint32_t tasks_per_node = (shape->tasks + shape->nodes - 1) / shape->nodes;
    gres->gres_per_node = gres->gres_per_task * tasks_per_node;
    gres->total_gres = gres->gres_per_node * shape->nodes;
    gres->gres_per_job = gres->gres_per_task = 0;
}

/* list_for_each */
static int take_off(void *gres_state, void *context) {
    gres_job_state_t *gres = ((gres_state_t *)gres_state)->gres_data;
    struct vmall_gres_request *request = context;
    request->counts[request->count++] =
        (struct counts){gres->cpus_per_gres, gres->gres_per_job, gres->gres_per_node,
                        gres->gres_per_task, gres->total_gres};
    gres->cpus_per_gres = 0;
    if (gres->gres_per_task)
        count_by_node(gres, &request->shape);
    return 0;
}

struct vmall_gres_request *vmall_take_cpus_off_gres(job_record_t *record,
                                                    const struct vmall_shape *shape) {
    const uint32_t count = record->gres_list_req ? list_count(record->gres_list_req) : 0;
    if (!count)
        return NULL;
    struct vmall_gres_request *request =
        xmalloc(sizeof(*request) + count * sizeof(*request->counts));
    request->shape = *shape;
    request->orig_cpus_per_task = record->details->orig_cpus_per_task;
    request->cpus_per_tres = record->cpus_per_tres;
    record->cpus_per_tres = NULL; /* cons_tres goes by this text, too */
    record->details->orig_cpus_per_task = 1;
    list_for_each(record->gres_list_req, take_off, request);
    FREE_NULL_LIST(record->gres_list_req_accum);
    return request;
}

struct giving_back {
    const struct counts *next, *end;
};

/* list_for_each */
static int give_back(void *gres_state, void *context) {
    gres_job_state_t *gres = ((gres_state_t *)gres_state)->gres_data;
    struct giving_back *from = context;
    if (from->next == from->end)
        return -1;
    gres->cpus_per_gres = from->next->cpus_per_gres;
    gres->gres_per_job = from->next->per_job;
    gres->gres_per_node = from->next->per_node;
    gres->gres_per_task = from->next->per_task;
    gres->total_gres = from->next->total;
    from->next++;
    return 0;
}

void vmall_give_back_gres(job_record_t *record, const struct vmall_gres_request *request) {
    if (!request)
        return;
    struct giving_back from = {request->counts, request->counts + request->count};
    xfree(record->cpus_per_tres);
    record->cpus_per_tres = xstrdup(request->cpus_per_tres);
    record->details->orig_cpus_per_task = request->orig_cpus_per_task;
    if (record->gres_list_req)
        list_for_each(record->gres_list_req, give_back, &from);
    FREE_NULL_LIST(record->gres_list_req_accum);
}

void vmall_free_gres_request(struct vmall_gres_request *request) {
    if (request)
        xfree(request->cpus_per_tres);
    xfree(request);
}
