// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which cores a job has, or is to have.
#pragma once

#include "plugins/sched_fjt/see/view.hpp"
#include "policy/model.hpp"
#include "slurmglue/job_view.h"

#include <vector>

namespace vmall::sched {

std::size_t core_count(const CoreSets &cores);

// How many on each node.
policy::CoreCounts counts(const CoreSets &cores);

// Those that are not taken.
cores::Cores without(const cores::Cores &from, const cores::Cores &taken);

// Cores of a target on this node; 0: it has none there.
std::size_t wanted_on(const policy::CoreCounts &target, NodeNumber node);

// Those of a job's cores that it keeps if it is folded to this target.
CoreSets kept_cores(const View &view, const JobView &job, const policy::CoreCounts &target);

// What slurmglue takes; points into `cores`.
std::vector<vmall_node_cores> for_slurm(const CoreSets &cores);

// With these cores.
int mpl_of(const JobView &job, const CoreSets &cores);

} // namespace vmall::sched
