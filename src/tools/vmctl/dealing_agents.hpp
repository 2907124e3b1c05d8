// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where the agents of the nodes deal cores themselves (mode=node), they are asked instead of
// slurmctld.
#pragma once

#include "config/config.hpp"
#include "tools/vmctl/node_jobs.hpp"
#include "tools/vmctl/top/observation.hpp"

#include <chrono>
#include <optional>

namespace vmall::vmctl {

// What they go by, as this host has it; nothing: they do not. Throws config::ConfigError.
std::optional<config::Config> settings_of_dealing_agents();

// Asks the nodes that have jobs which the asker may see. Throws std::runtime_error if slurmctld
// does not tell these.
NodeJobs find_node_jobs(const config::Config &config, std::chrono::milliseconds patience);

// The same for vmctl top, which says of a node that does not tell in the line of its name.
top::Source source_of_agents(const config::Config &config, std::chrono::milliseconds patience);

} // namespace vmall::vmctl
