// SPDX-License-Identifier: GPL-2.0-or-later
//
// The MPL of a running job: how many of its processes share a place, which is a core or as many as
// each of them wants.
#pragma once

#include "policy/model.hpp"

namespace vmall::policy {

// RunningJob::unfolded of processes that are spread equally over these nodes.
CoreCounts unfolded_equally(int processes, int cores_per_process, const CoreCounts &allotment);

// On the node where most of them share a place, rounded up; 1 where there is no node. One without a
// whole place counts as if it had a single place. `unfolded` is on the same nodes.
int mpl_of(const CoreCounts &unfolded, int cores_per_process, const CoreCounts &allotment);

} // namespace vmall::policy
