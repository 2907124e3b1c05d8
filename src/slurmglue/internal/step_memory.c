/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A job holds memory for the CPUs that it has unfolded, so what it holds tells how many these are.
 */
#include "slurmglue/internal/step_memory.h"

static uint64_t of_each_cpu(uint64_t memory) {
    return memory & MEM_PER_CPU ? memory & ~MEM_PER_CPU : 0;
}

/* Also what the job counts as used by its steps, which do not get more than it holds. */
static void add_memory(step_record_t *step, uint32_t nth_of_step, uint32_t nth_of_job,
                       uint64_t unfolded) {
    job_resources_t *resources = step->job_ptr->job_resrcs;
    const uint64_t has = step->memory_allocated[nth_of_step];
    const uint64_t holds = resources->memory_allocated[nth_of_job];
    const bool counts = !(step->flags & SSF_OVERLAP_FORCE);
    const uint64_t others = counts && resources->memory_used[nth_of_job] > has
                                ? resources->memory_used[nth_of_job] - has
                                : 0;
    const uint64_t left = holds > others ? holds - others : 0;
    const uint64_t gets = MIN(unfolded, left);
    if (gets <= has)
        return;
    step->memory_allocated[nth_of_step] = gets;
    if (counts)
        resources->memory_used[nth_of_job] += gets - has;
}

void vmall_give_step_memory(step_record_t *step) {
    const job_record_t *job = step->job_ptr;
    const job_resources_t *resources = job->job_resrcs;
    const uint64_t of_job = job->details ? of_each_cpu(job->details->pn_min_memory) : 0;
    const uint64_t of_step = of_each_cpu(step->pn_min_memory);
    if (!of_job || !of_step || !(step->flags & SSF_WHOLE) || !step->memory_allocated ||
        !step->step_node_bitmap || !resources->memory_allocated || !resources->memory_used)
        return;
    uint32_t nth_of_job = 0, nth_of_step = 0;
    const bitoff_t last = bit_fls(step->step_node_bitmap);
    for (bitoff_t i = bit_ffs(resources->node_bitmap); i >= 0 && i <= last; i++) {
        if (!bit_test(resources->node_bitmap, i))
            continue;
        if (bit_test(step->step_node_bitmap, i)) {
            const uint64_t cpus = resources->memory_allocated[nth_of_job] / of_job;
            add_memory(step, nth_of_step++, nth_of_job, cpus * of_step);
        }
        nth_of_job++;
    }
}
