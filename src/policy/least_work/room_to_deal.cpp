// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is dealt.
#include "policy/least_work/room_to_deal.hpp"

namespace vmall::policy::least_work {

namespace {

Room without(Room room, const Room &withheld) {
    for (std::size_t node = 0; node < room.size(); node++)
        room[node] -= withheld[node];
    return room;
}

} // namespace

RoomToDeal::RoomToDeal(const Room &all, const Room &withheld)
    : all_(all), open_(without(all, withheld)) {}

void RoomToDeal::take_withheld(const CoreCounts &on) {
    for (const NodeCores &part : on)
        all_[part.node.value] = open_.room()[part.node.value];
}

} // namespace vmall::policy::least_work
