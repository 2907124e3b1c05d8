// SPDX-License-Identifier: GPL-2.0-or-later
//
// What tasks are given in variables that are the user's, too. Where srun finds a variable in its
// own environment, Slurm's --export=ALL,NAME=VALUE does not change it: so what a script was given
// must not be there.
#pragma once

extern "C" {
#include <slurm/spank.h>
}

#include <string>

namespace vmall::spank_vm {

// In slurmstepd: notes it in the environment of the step's tasks. The value has no spaces or
// colons. Throws std::runtime_error.
void note_given(spank_t spank, const char *name, const std::string &value);

// In slurmstepd, before anything is noted: what came from another step's tasks.
void forget_given(spank_t spank);

// In srun, sbatch and salloc, before they read their environment: takes out of it what tasks of
// this job were given, and leaves what the user has made of it. slurmstepd gives it anew. Throws
// std::bad_alloc.
void take_back_given();

} // namespace vmall::spank_vm
