// SPDX-License-Identifier: GPL-2.0-or-later
//
// Room of which it is known how many nodes have how much.
#include "policy/least_work/tallied_room.hpp"

#include <algorithm>
#include <utility>

namespace vmall::policy::least_work {

TalliedRoom::TalliedRoom(Room room) : room_(std::move(room)) {
    for (const int cores : room_)
        count(cores, 1);
}

void TalliedRoom::count(int cores, int times) {
    if (cores <= 0)
        return;
    const auto index = static_cast<std::size_t>(cores);
    if (index >= nodes_with_.size())
        nodes_with_.resize(index + 1);
    nodes_with_[index] += static_cast<std::size_t>(times);
    cores_ += std::int64_t{cores} * times;
}

void TalliedRoom::change(NodeIndex node, int by) {
    int &cores = room_[node.value];
    count(cores, -1);
    cores += by;
    count(cores, 1);
}

bool TalliedRoom::has(std::size_t nodes, int cores_each) const {
    if (room_.size() < nodes_with_.size())
        return static_cast<std::size_t>(std::count_if(room_.begin(), room_.end(), [&](int cores) {
                   return cores >= cores_each;
               })) >= nodes;
    std::size_t found = 0;
    for (auto cores = static_cast<std::size_t>(cores_each);
         cores < nodes_with_.size() && found < nodes; cores++)
        found += nodes_with_[cores];
    return found >= nodes;
}

TalliedRoom &TalliedRoom::operator+=(const CoreCounts &added) {
    for (const NodeCores &part : added)
        change(part.node, part.cores);
    return *this;
}

TalliedRoom &TalliedRoom::operator-=(const CoreCounts &taken) {
    for (const NodeCores &part : taken)
        change(part.node, -part.cores);
    return *this;
}

TalliedRoom &TalliedRoom::operator+=(const MemoryCounts &added) {
    room_ += added;
    return *this;
}

TalliedRoom &TalliedRoom::operator-=(const MemoryCounts &taken) {
    room_ -= taken;
    return *this;
}

} // namespace vmall::policy::least_work
