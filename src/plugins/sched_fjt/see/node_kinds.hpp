// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the nodes are like that waiting jobs may use. Thousands of jobs share a set of thousands of
// nodes, so each set is looked at once.
#pragma once

#include "plugins/sched_fjt/see/view.hpp"

#include <map>

namespace vmall::sched {

struct NodeKind {
    int cores = 0;            // of all nodes of the set together
    int threads_per_core = 1; // of the first
    policy::NodeSet most;     // those of them with as many threads per core as most have
    int threads_of_most = 1;
    std::vector<int> widths_of_most; // their cores, most first
    int width = 0;                   // of the widest of all
    std::uint64_t memory = 0;        // of the node of all that has most, MiB
    std::uint64_t least_memory = 0;  // of the one that has least
    int fewest_threads = 1;          // of a core
};

class NodeKinds {
  public:
    // `view` must be there as long as this is used.
    explicit NodeKinds(const View &view) : view_(view) {}

    const NodeKind &of(const policy::NodeSet &nodes);

  private:
    const View &view_;
    std::map<const void *, NodeKind> known_; // by identity of the set
};

} // namespace vmall::sched
