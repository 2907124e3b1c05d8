// SPDX-License-Identifier: GPL-2.0-or-later
//
// Over how many nodes a job is spread whose user leaves that to Slurm: over as few as its tasks fit
// on, equally many on each.
#pragma once

#include "plugins/sched_fjt/see/node_kinds.hpp"
#include "plugins/sched_fjt/see/view.hpp"

namespace vmall::sched {

// The fewest nodes for the largest of its sizes that fits its eligible ones when nobody is there,
// and no fewer than asked for; as many as asked for if none fits.
int fewest_nodes(const JobView &job, NodeKinds &kinds);

} // namespace vmall::sched
