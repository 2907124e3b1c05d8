// SPDX-License-Identifier: GPL-2.0-or-later
//
// What can be placed on a small machine, found by trying everything: an oracle for the property
// tests that shares no code with the policies.
#pragma once

#include "policy/model.hpp"

#include <vector>

namespace exhaustive {

using Cores = std::vector<int>; // by node

// Every way to give a waiting job the cores it needs with so many processes, unfolded if it is
// virtually malleable. `nodes` tells whole nodes from used ones; `on`, if not empty, the only
// nodes that may be used.
std::vector<Cores> placements(const vmall::policy::WaitingJob &job, int processes,
                              int cores_per_node, const std::vector<vmall::policy::Node> &nodes,
                              const Cores &free, const std::vector<vmall::policy::NodeIndex> &on);

} // namespace exhaustive
