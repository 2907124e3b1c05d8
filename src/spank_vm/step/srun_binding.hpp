// SPDX-License-Identifier: GPL-2.0-or-later
//
// A step whose tasks the user binds to CPUs by their numbers (--cpu-bind=map_cpu:0,1 and the like).
#pragma once

extern "C" {
#include <slurm/spank.h>
}

namespace vmall::spank_vm {

// In srun, once its step has started: in a folded job, which has given some of these CPUs away, the
// tasks are not bound to them, and srun says so. Nodes would refuse the step. Elsewhere it does
// nothing. Throws std::runtime_error.
void give_up_binding_of_a_folded_job(spank_t spank);

} // namespace vmall::spank_vm
