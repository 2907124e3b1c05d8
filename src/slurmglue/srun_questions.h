/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What spank_vm.so asks in srun that is not the same in all releases of Slurm. It stands in a file
 * of its own (vmall_srun.so), which is built for one of them; spank_vm.so is one for all.
 */
#ifndef VMALL_GLUE_SRUN_QUESTIONS_H
#define VMALL_GLUE_SRUN_QUESTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct vmall_srun_questions {
    uint32_t release;                            /* SLURM_VERSION_NUMBER that it was built for */
    bool (*has_fewer_cpus_than_asked)(uint32_t); /* job_cpus.h */
    bool (*binds_by_number)(void);               /* step_binding.h */
    void (*do_not_bind_by_number)(void);
};

/* The symbol of vmall_srun.so. */
#define VMALL_SRUN_QUESTIONS "vmall_srun_questions"

#endif
