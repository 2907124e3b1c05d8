// SPDX-License-Identifier: GPL-2.0-or-later
//
// Memory, of which a fold gives back none: what a policy counts of it, which jobs it keeps waiting,
// and how many cores that leaves unused.
#pragma once

#include "plugins/sched_fjt/see/node_kinds.hpp"
#include "plugins/sched_fjt/see/view.hpp"
#include "policy/model.hpp"

#include <cstdint>
#include <vector>

namespace vmall::sched {

// As policy::Node has it. None is counted (0) as long as nobody asks for any or holds some.
void count_memory(const View &view, std::vector<policy::Node> &nodes);

// Of a job that waits, as policy::Demand has it, on the kind of node that there is most of. Never
// more than Slurm asks for: that refuses a start that lacks some, but nobody would start one that a
// policy does not see.
void count_memory(const JobView &job, NodeKinds &kinds, policy::WaitingJob &waiting);

// Of one that holds some.
void count_memory(const JobView &job, policy::RunningJob &running);

// MiB, of a running one that is unfolded.
double memory_per_core(const JobView &job);

// The same decision, but virtually malleable jobs that are to wait for cores, or were refused, wait
// for memory if too few nodes have any for them at this moment, in the smallest of their sizes.
std::vector<policy::Action> with_memory_told(const View &view, std::vector<policy::Action> actions);

// Cores that are free, or that jobs could be folded off, of nodes where jobs wait for memory by
// this decision; no more than these need to start folded.
std::uint64_t cores_without_memory(const policy::Snapshot &snapshot,
                                   const std::vector<policy::Action> &actions);

} // namespace vmall::sched
