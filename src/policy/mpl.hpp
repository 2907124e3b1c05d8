// SPDX-License-Identifier: GPL-2.0-or-later
//
// The MPL of a running job: how many of its processes share a place, which is a core or as many as
// each of them wants. They are spread equally over its nodes.
#pragma once

#include "policy/model.hpp"

namespace vmall::policy {

// The cores of each node on which no two of the processes share any; there is at least one node.
int unfolded_width(int processes, int cores_per_process, const CoreCounts &allotment);

// On the node with the fewest cores, rounded up; 1 where there is no node. One without a whole
// place counts as if it had a single place.
int mpl_of(int processes, int cores_per_process, const CoreCounts &allotment);

} // namespace vmall::policy
