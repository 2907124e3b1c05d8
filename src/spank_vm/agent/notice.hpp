// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tells the tasks of a job, by a signal that the job has asked for, that its allotment has changed.
#pragma once

#include "spank_vm/agent/job_state.hpp"

#include <vector>

namespace vmall::agent {

// To the processes that the steps' slurmstepds started; not to batch scripts, nor to what the tasks
// started.
void signal_tasks(const ProcessTable &processes, const std::vector<Step> &steps, int signal);

} // namespace vmall::agent
