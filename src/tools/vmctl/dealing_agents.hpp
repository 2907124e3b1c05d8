// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where the agents of the nodes deal cores themselves (mode=node), they are asked instead of
// slurmctld.
#pragma once

#include "config/config.hpp"
#include "tools/vmctl/node_jobs.hpp"

#include <chrono>
#include <optional>

namespace vmall::vmctl {

// What they go by, as this host has it; nothing: they do not. Throws config::ConfigError.
std::optional<config::Config> settings_of_dealing_agents();

// Asks the nodes that have jobs which the asker may see. Throws std::runtime_error if slurmctld
// does not tell these.
NodeJobs find_node_jobs(const config::Config &config, std::chrono::milliseconds patience);

} // namespace vmall::vmctl
