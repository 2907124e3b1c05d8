// SPDX-License-Identifier: GPL-2.0-or-later
//
// The --vm-* options of sbatch, salloc and srun: checked where they are typed, sent to slurmctld in
// the job's SPANK environment (config/job_request.hpp), and known again in slurmstepd.
#pragma once

// spank.h gives the entry points C++ linkage otherwise, and Slurm would not find them.
extern "C" {
#include <slurm/spank.h>
}

#include "config/runtime_settings.hpp"

namespace vmall::spank_vm {

// Registers the options. Call in slurm_spank_init; contexts without options are left alone. Returns
// ESPANK_SUCCESS, or the error of Slurm, which is logged.
int register_options(spank_t spank) noexcept;

// Sends what was asked to slurmctld; in slurmstepd, finds out whether the job asked. Call in
// slurm_spank_init_post_opt. A negative return means that the options contradict each other, the
// user has been told why and the submission is to be given up.
int publish_options(spank_t spank) noexcept;

// This job asked for virtual malleability: in slurmstepd of its batch script and of every step,
// from slurm_spank_init_post_opt on.
bool vm_asked() noexcept;

// In srun, from then on: whether the step is of a job that may be folded.
bool is_of_a_malleable_job();

// In slurmstepd, from then on: what this step, or else its job, gave for --vm-runtime. Throws
// std::runtime_error for what nobody has checked: the script's environment.
config::RuntimeRequest runtime_asked();

} // namespace vmall::spank_vm
