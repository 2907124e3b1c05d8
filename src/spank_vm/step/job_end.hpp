// SPDX-License-Identifier: GPL-2.0-or-later
//
// spank_vm in the job's epilog, which slurmd runs for every job that ends on the node.
#pragma once

#include "spank_vm/node/step_settings.hpp"

#include <cstdint>

namespace vmall::spank_vm {

// Has the agent remove all that it keeps for the job; without an agent, removes the files. Cheap
// for jobs that have none. Throws std::exception.
void forget_job(const StepSettings &settings, std::uint32_t job_id);

} // namespace vmall::spank_vm
