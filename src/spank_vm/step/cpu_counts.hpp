// SPDX-License-Identifier: GPL-2.0-or-later
//
// How many CPUs the script of a job, and each of its steps that has all of them, finds in its
// environment: as many as the job would have unfolded, as scripts start as many ranks.
#pragma once

extern "C" {
#include <slurm/spank.h>
}

namespace vmall::spank_vm {

// In slurm_spank_init_post_opt of a batch script: SLURM_JOB_CPUS_PER_NODE. Throws
// std::runtime_error.
void tell_cpus_per_node(spank_t spank);

// In slurm_spank_init_post_opt of a step that a script starts. Where nodes of the job differ it is
// left to Slurm. Throws std::runtime_error.
void expect_cpus_of_the_script(spank_t spank);

// In slurm_spank_task_init of both: SLURM_CPUS_ON_NODE, which slurmstepd sets just before.
// Throws std::runtime_error.
void tell_cpus_on_node(spank_t spank);

} // namespace vmall::spank_vm
