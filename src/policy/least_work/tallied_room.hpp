// SPDX-License-Identifier: GPL-2.0-or-later
//
// Room of which it is known how many nodes have how much. There are thousands of nodes, and most
// searches among them would be in vain.
#pragma once

#include "policy/room/room.hpp"

#include <vector>

namespace vmall::policy::least_work {

class TalliedRoom {
  public:
    explicit TalliedRoom(Room room);

    const Room &room() const { return room_; }

    // Of all nodes together.
    std::int64_t cores() const { return cores_; }

    // Whether so many nodes have so many cores each; at least one.
    bool has(std::size_t nodes, int cores_each) const;

    TalliedRoom &operator+=(const CoreCounts &added);
    TalliedRoom &operator-=(const CoreCounts &taken);
    TalliedRoom &operator+=(const MemoryCounts &added);
    TalliedRoom &operator-=(const MemoryCounts &taken);

  private:
    void count(int cores, int times);
    void change(NodeIndex node, int by);

    Room room_;
    std::int64_t cores_ = 0;
    std::vector<std::size_t> nodes_with_; // just so many cores, from 1 on
};

} // namespace vmall::policy::least_work
