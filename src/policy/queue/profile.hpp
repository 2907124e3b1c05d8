// SPDX-License-Identifier: GPL-2.0-or-later
//
// Free cores and memory over time, node by node: what conservative backfilling plans on.
#pragma once

#include "policy/model.hpp"
#include "policy/room/room.hpp"

#include <optional>
#include <vector>

namespace vmall::policy {

// Steps of time, each with the cores that are free from its beginning to that of the next one. The
// last step never ends.
class Profile {
  public:
    Profile(Seconds now, const Room &free);

    // They come free at a time from now on, for ever. Cheapest in order of time.
    void give(const CoreCounts &cores, const MemoryCounts &memory, Seconds from);

    // A job holds these for a time from now on, which may end `never`; or no longer does.
    void take(const CoreCounts &cores, const MemoryCounts &memory, Seconds begin, Seconds end);
    void give_back(const CoreCounts &cores, const MemoryCounts &memory, Seconds begin, Seconds end);

    bool has(const CoreCounts &cores, const MemoryCounts &memory, Seconds begin, Seconds end) const;

    struct Slot {
        Seconds begin;
        Placement placement;
    };

    // When a job first fits unfolded with so many processes for its whole estimate, not before
    // `earliest`. Empty: nowhere, some cores never come free.
    std::optional<Slot> first_slot(const WaitingJob &job, int processes,
                                   const std::vector<Node> &nodes, Seconds earliest) const;

  private:
    using Step = std::size_t;

    Step step_at(Seconds time) const; // that this time is in
    Step step_from(Seconds time);     // begins one there if none does
    void add(const CoreCounts &cores, const MemoryCounts &memory, Seconds begin, Seconds end,
             int sign);
    Room always_free(Step first, Seconds end) const;

    const std::size_t node_count_;
    std::vector<Seconds> begins_;
    std::vector<int> totals_; // over all nodes: tells without a look at them where there is no room
    std::vector<int> cores_by_node_;           // a row of node_count_ for each step
    std::vector<std::int64_t> memory_by_node_; // likewise; empty: not counted
};

} // namespace vmall::policy
