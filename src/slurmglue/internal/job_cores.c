/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What belongs together when a job's cores change.
 */
#include "slurmglue/internal/job_cores.h"
#include "slurmglue/internal/value_runs.h"

#include SLURM_SELECT_H

void vmall_visit_slices(const job_resources_t *resources, vmall_visit_slice visit, void *context) {
    const bitoff_t last = bit_fls(resources->node_bitmap);
    const bitoff_t core_bits = bit_size(resources->core_bitmap);
    bitoff_t first_core = 0;
    for (bitoff_t i = bit_ffs(resources->node_bitmap); i >= 0 && i <= last; i++) {
        if (!bit_test(resources->node_bitmap, i))
            continue;
        const struct vmall_node_slice slice = {
            .node = i, .first_core = first_core, .cores = node_record_table_ptr[i]->tot_cores};
        if (first_core + slice.cores > core_bits)
            return;
        visit(resources, &slice, context);
        first_core += slice.cores;
    }
}

struct slices {
    struct vmall_node_slice *slices;
    uint32_t count;
};

static void add_place(const job_resources_t *resources, const struct vmall_node_slice *slice,
                      void *context) {
    struct slices *found = context;
    if (found->count < resources->nhosts)
        found->slices[found->count++] = *slice;
}

void vmall_find_slices(const job_resources_t *resources, struct vmall_node_slice *slices) {
    struct slices found = {slices, 0};
    vmall_visit_slices(resources, add_place, &found);
}

uint16_t vmall_cpus_on(const job_resources_t *resources, uint32_t n,
                       const struct vmall_node_slice *slice,
                       const struct vmall_node_cores *target) {
    const int32_t held = bit_set_count_range(resources->core_bitmap, slice->first_core,
                                             slice->first_core + slice->cores);
    const uint32_t per_core = held > 0 ? (resources->cpus[n] + held - 1) / held : 1;
    return target->core_count * per_core;
}

/* Which of the step's nodes it is. */
static uint32_t nth_node(const step_record_t *step, uint32_t node) {
    return node ? bit_set_count_range(step->step_node_bitmap, 0, node) : 0;
}

/* Steps that hold the whole allocation (the default srun) gave `cpus_used` all of the job's CPUs on
 * the node and give back what the job has, or what they have taken, when they end: all must change
 * together. */
static void move_whole_steps(job_record_t *record, uint32_t slice, uint32_t node, int delta) {
    step_record_t *step;
    list_itr_t *iterator = list_iterator_create(record->step_list);
    while ((step = list_next(iterator))) {
        if (!step->step_layout || !(step->flags & SSF_WHOLE) || !step->step_node_bitmap ||
            !bit_test(step->step_node_bitmap, node))
            continue;
        step->cpu_count += delta;
        vmall_add_step_cpus(step, nth_node(step, node), delta);
        if (!(step->flags & SSF_OVERLAP_FORCE))
            record->job_resrcs->cpus_used[slice] += delta;
    }
    list_iterator_destroy(iterator);
}

void vmall_set_cores(job_record_t *job, const struct vmall_node_slice *slices,
                     const struct vmall_node_cores *target) {
    job_resources_t *resources = job->job_resrcs;
    /* "Indefinitely suspended" makes cons_tres forget the job's cores but keep its memory. */
    select_g_job_suspend(job, true);
    for (uint32_t n = 0; n < resources->nhosts; n++) {
        const uint16_t cpus = vmall_cpus_on(resources, n, &slices[n], &target[n]);
        bit_nclear(resources->core_bitmap, slices[n].first_core,
                   slices[n].first_core + slices[n].cores - 1);
        for (uint32_t c = 0; c < target[n].core_count; c++)
            bit_set(resources->core_bitmap, slices[n].first_core + target[n].cores[c]);
        if (job->step_list)
            move_whole_steps(job, n, slices[n].node, (int)cpus - (int)resources->cpus[n]);
        resources->cpus[n] = cpus;
    }
    resources->ncpus = build_job_resources_cpu_array(resources);
    job->total_cpus = job->cpu_cnt = resources->ncpus;
    select_g_job_resume(job, true);
}
