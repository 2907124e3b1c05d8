// SPDX-License-Identifier: GPL-2.0-or-later
//
// How many processes of a job have room on each node, and its spread over them as there is room.
#pragma once

#include "policy/room/room.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vmall::policy {

// Of a node: the most processes that a job can have there at an MPL.
struct Slots {
    NodeIndex node;
    int cores; // that are free
    int processes;
};

// On nodes with room for one at least, in their order. Of a job of any spread no more than can be
// unfolded there.
std::vector<Slots> slots(const WaitingJob &job, int mpl, const std::vector<Node> &nodes,
                         const Usable &usable);

// Of these nodes the fullest that is enough for all; null: there is none.
const Slots *fullest_for(int processes, const std::vector<Slots> &nodes);

// On as many of these nodes at the most, those where most fit.
std::int64_t processes_on(std::size_t most_nodes, const std::vector<Slots> &nodes);

// On each of so many nodes, which there have to be, those where most fit.
int fit_on_each(std::size_t count, std::vector<Slots> nodes);

// Whether all have room on min_nodes to max_nodes of these nodes.
bool has_room_spread(const WaitingJob &job, int processes, const std::vector<Slots> &nodes);

// If they have: what the job holds there unfolded. At least one process on each node, from that on
// where most fit.
CoreCounts place_spread(const WaitingJob &job, int processes, const std::vector<Slots> &nodes);

} // namespace vmall::policy
