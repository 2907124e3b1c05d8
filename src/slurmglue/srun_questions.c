/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The only symbol that vmall_srun.so shows.
 */
#include "slurmglue/internal/releases.h"

#include "slurmglue/job_cpus.h"
#include "slurmglue/srun_questions.h"
#include "slurmglue/step_binding.h"

__attribute__((
    visibility("default"))) extern const struct vmall_srun_questions vmall_srun_questions;

const struct vmall_srun_questions vmall_srun_questions = {
    SLURM_VERSION_NUMBER,
    vmall_has_fewer_cpus_than_asked,
    vmall_binds_by_number,
    vmall_do_not_bind_by_number,
};
