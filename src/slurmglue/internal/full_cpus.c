/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * slurmd replaces SLURM_JOB_CPUS_PER_NODE in the environment of a batch script, so spank_vm there
 * goes by a name of our own. salloc and srun go by Slurm's.
 */
#include "slurmglue/internal/full_cpus.h"

#include "slurmglue/internal/job_shape.h"
#include "slurmglue/internal/task_layout.h"

#include "src/common/xmalloc.h"

#define NOTE "VMALL_CPUS_PER_NODE" /* config/job_request.hpp */
#define SLURMS "SLURM_JOB_CPUS_PER_NODE"

void vmall_clear_full_cpus(job_details_t *details) {
    vmall_unset_environment(details, NOTE);
    vmall_unset_environment(details, SLURMS);
}

void vmall_note_full_cpus(job_details_t *details, const struct vmall_shape *shape,
                          uint32_t per_core) {
    vmall_clear_full_cpus(details);
    if (shape->mpl < 2 || (shape->cores && !shape->tasks_on))
        return;
    const uint32_t per_task = (shape->cpus_per_task + per_core - 1) / per_core * per_core;
    const uint32_t even = (shape->tasks + shape->nodes - 1) / shape->nodes;
    uint32_t *cpus = xcalloc(shape->nodes, sizeof(*cpus));
    for (uint32_t n = 0; n < shape->nodes; n++)
        cpus[n] = (shape->tasks_on ? shape->tasks_on[n] : even) * per_task;
    char *text = vmall_text_of_counts(cpus, shape->nodes);
    vmall_set_environment_text(details, NOTE, text);
    vmall_set_environment_text(details, SLURMS, text);
    xfree(text);
    xfree(cpus);
}
