// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a job that shared its cores reads of that at the end of its own log, and slurmdbd is told of
// it (mode=node).
#pragma once

extern "C" {
#include <slurm/spank.h>
}

namespace vmall::spank_vm {

// In slurm_spank_exit of the batch script's slurmstepd, whose standard error is the job's: a line,
// if the job has lost anything. Throws std::exception.
void tell_account(spank_t spank);

} // namespace vmall::spank_vm
