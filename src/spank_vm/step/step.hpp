// SPDX-License-Identifier: GPL-2.0-or-later
//
// spank_vm in slurmstepd: attaches the tasks of a step to the node's agent.
#pragma once

extern "C" {
#include <slurm/spank.h>
}

namespace vmall::spank_vm {

// In slurm_spank_init_post_opt, as root: registers the step with the
// agent and sets the environment of its tasks, if the job asked or its other steps here did. Only
// for steps with tasks, the batch script among them. What fails is told to the user, and the step
// runs without. Throws std::exception if a job that asked cannot even be described.
void attach_step(spank_t spank);

// Whether the agent has taken the step, so that a fold moves its tasks.
bool is_attached() noexcept;

// In slurm_spank_task_post_fork, as root, while the task waits to be let go: a task of an attached
// step starts inside the allotment that the job has now. Throws std::exception.
void place_task(spank_t spank);

} // namespace vmall::spank_vm
