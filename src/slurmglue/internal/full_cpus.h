/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How many CPUs a job that starts folded would have unfolded: in its supplemental environment, by
 * which its script, salloc's shell and steps are told.
 */
#ifndef VMALL_GLUE_FULL_CPUS_H
#define VMALL_GLUE_FULL_CPUS_H

#include "slurmglue/internal/releases.h"

#include "slurmglue/job_start.h"

#include "src/slurmctld/slurmctld.h"

/* Of a job that has its nodes; if it is not folded, Slurm tells it right, and nothing is noted.
 * `per_core`: CPUs that it uses of each core. */
void vmall_note_full_cpus(job_details_t *details, const struct vmall_shape *shape,
                          uint32_t per_core);
void vmall_clear_full_cpus(job_details_t *details);

#endif
