// SPDX-License-Identifier: GPL-2.0-or-later
//
// Threads of tasks with several CPUs, which OpenMP would let spin while they have nothing to do.
#pragma once

extern "C" {
#include <slurm/spank.h>
}

namespace vmall::spank_vm {

// The CPUs that a thread spins on are another rank's while the job is folded: those of the step
// sleep instead, unless the user has said otherwise. Throws std::runtime_error.
void let_idle_threads_sleep(spank_t spank);

} // namespace vmall::spank_vm
