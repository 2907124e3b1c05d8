// SPDX-License-Identifier: GPL-2.0-or-later
//
// What Slurm tells tasks of the CPUs that it has bound them to.
#pragma once

extern "C" {
#include <slurm/spank.h>
}

namespace vmall::spank_vm {

// In slurm_spank_task_init, of a step that a fold may move: srun, and what starts ranks by it,
// would take numbered CPUs over for steps of their own, and slurmd refuses those that the job has
// given away. What names none, such as "none" or "cores", stays. Throws std::runtime_error.
void forget_numbered_cpus(spank_t spank);

} // namespace vmall::spank_vm
