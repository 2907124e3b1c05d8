// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which rank shares which CPUs of the allotment. Pure: every rank computes the same from the same
// members.
//
// The ranks of all programs of the job on this node stand in one line, program after program; rank
// r of n in that line goes to place r*p/n of p. The allotment is cut into as many places as have
// the CPUs that a rank wants (one at least), of neighbouring CPUs each. Neighbours in rank, who
// talk most, so share a CPU. (The thesis maps rank r to CPU r mod c.)
#pragma once

#include "layout/runtime_page.h"
#include "libvmrt/process.hpp"

namespace vmall::runtime {

struct Member {
    std::uint32_t slot; // below VMALL_RUNTIME_SLOTS
    LocalRank local;    // size at most VMALL_RUNTIME_SLOTS
};

struct Place {
    bool folded;             // the ranks want more CPUs than there are: somebody shares
    std::uint32_t first_cpu; // index into the allotment
    std::uint32_t width;     // number of CPUs from there
    std::uint32_t peer_count;
    std::uint16_t
        peers[VMALL_RUNTIME_SLOTS]; // slots of those who share the place, without the rank itself,
                                    // in the order of turns, beginning with the one after it
};

// At least 1 of each.
struct Room {
    std::uint32_t cpu_count;
    std::uint32_t cpus_per_rank;
};

std::uint32_t place_count(Room room);

// Place number `index` (below place_count) begins at this CPU of the allotment; number place_count
// would begin behind its end. All places together are the whole allotment.
std::uint32_t first_cpu_of_place(Room room, std::uint32_t index);

// `members` in the order of slots, all different; `slot` is one of them (false if not). Programs
// that have not all their ranks here yet count with all of them.
bool place(const Member *members, std::uint32_t count, std::uint32_t slot, Room room,
           Place &result);

} // namespace vmall::runtime
