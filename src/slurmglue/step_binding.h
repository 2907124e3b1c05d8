/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What srun was told to bind the tasks of its step to (--cpu-bind, SLURM_CPU_BIND), between the
 * start of the step and that of its tasks.
 */
#ifndef VMALL_GLUE_STEP_BINDING_H
#define VMALL_GLUE_STEP_BINDING_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether it goes by the numbers of CPUs or of NUMA nodes, or by ranks, which the CPUs that the job
 * has at the moment may contradict. False in processes that are not srun. */
bool vmall_binds_by_number(void);

/* From now on as if srun had not been told. */
void vmall_do_not_bind_by_number(void);

#ifdef __cplusplus
}
#endif

#endif
