// SPDX-License-Identifier: GPL-2.0-or-later
//
// The machine when nobody is there. Thousands of jobs may wait for the same thousands of nodes:
// these are looked at once for all that can use as much of each.
#pragma once

#include "policy/room/room.hpp"

#include <functional>
#include <map>
#include <tuple>
#include <vector>

namespace vmall::policy {

class EmptyMachine {
  public:
    // They must stay as long as this, and so must the sets of nodes of jobs that it is asked about.
    explicit EmptyMachine(const std::vector<Node> &nodes);

    const std::vector<Node> &nodes() const { return nodes_; }

    // With which the job fits, unfolded. 0: there are too few nodes for it.
    int most_processes(const WaitingJob &job);

    Usable usable_by(const WaitingJob &job) const { return usable(job, nodes_, room_); }

  private:
    // Nodes by the processes that there is room for, the most first.
    using NodesByProcesses = std::map<int, std::size_t, std::greater<>>;
    // The set; cores and memory per process, memory per node; what else counts where memory does.
    using Key = std::tuple<const void *, int, std::int64_t, std::int64_t, bool, bool>;

    const NodesByProcesses &nodes_for(const WaitingJob &job);

    const std::vector<Node> &nodes_;
    const Room room_;
    std::map<Key, NodesByProcesses> known_;
};

} // namespace vmall::policy
