// SPDX-License-Identifier: GPL-2.0-or-later
//
// spank_vm in slurmstepd: attaches the tasks of a step to the node's agent.
#pragma once

extern "C" {
#include <slurm/spank.h>
}

#include "spank_vm/settings.hpp"

namespace vmall::spank_vm {

// In slurm_spank_init_post_opt, as root, of a job that asked: registers the step with the agent and
// sets the environment of its tasks. Only for steps with tasks, the batch script among them. What
// fails is told to the user; the step runs without. Throws std::exception if Slurm does not tell
// what it should.
void attach_step(spank_t spank, const Settings &settings);

// In slurm_spank_task_post_fork, as root, while the task waits to be let go: a task of an attached
// step starts inside the allotment that the job has now. Throws std::exception.
void place_task(spank_t spank);

} // namespace vmall::spank_vm
