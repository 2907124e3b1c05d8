/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The memory of steps that start while their job is folded, where memory goes by CPUs.
 */
#ifndef VMALL_GLUE_STEP_MEMORY_H
#define VMALL_GLUE_STEP_MEMORY_H

#include "slurmglue/internal/releases.h"

#include "src/slurmctld/slurmctld.h"

/* A step of all of its job's CPUs, which Slurm has given the memory of those that the job has now:
 * its limit is to be that of the CPUs that the job has unfolded, whose memory the job holds. */
void vmall_give_step_memory(step_record_t *step);

#endif
