// SPDX-License-Identifier: GPL-2.0-or-later
//
// The agent's life inside slurmd.
#pragma once

#include "spank_vm/agent/settings.hpp"

namespace vmall::agent {

// In slurmd's slurm_spank_init: starts the agent, or has it started once slurmd is a daemon.
void start(Settings settings);

// In slurmd's last SPANK callback, before the plugin is unloaded.
void stop();

} // namespace vmall::agent
