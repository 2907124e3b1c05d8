// SPDX-License-Identifier: GPL-2.0-or-later
//
// What Slurm is told of jobs that go on waiting.
#pragma once

#include "plugins/sched_fjt/see/view.hpp"
#include "plugins/select_vmall/gate.hpp"
#include "policy/model.hpp"

#include <vector>

namespace vmall::sched {

// Raises what they ask Slurm for to what the smallest of their sizes needs: Slurm's own schedulers
// plan with that.
void raise_requests(const View &view);

// For squeue's reason column and squeue --start; and to select/cons_tres_vmall, which jobs do not
// fit this machine.
void tell_why(const View &view, const std::vector<policy::Action> &actions,
              const select::Gate &gate);

} // namespace vmall::sched
