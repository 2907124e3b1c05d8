// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which rank shares which CPU of the allotment. Pure: every rank computes the same from the same
// members.
//
// The ranks of all programs of the job on this node stand in one line, program after program; rank
// r of n in that line goes to CPU r*c/n of c. Neighbours in rank, who talk most, so share a CPU
// (the blocks of section 6 of the platform's experiments; the thesis maps r mod c).
#pragma once

#include "libvmrt/process.hpp"
#include "libvmrt/runtime_page.h"

namespace vmall::runtime {

struct Member {
    std::uint32_t slot; // below VMALL_RUNTIME_SLOTS
    LocalRank local;    // size at most VMALL_RUNTIME_SLOTS
};

struct Place {
    bool folded;       // more ranks than CPUs: somebody shares
    std::uint32_t cpu; // index into the allotment
    std::uint32_t peer_count;
    std::uint16_t
        peers[VMALL_RUNTIME_SLOTS]; // slots of those who share the CPU, without the rank itself,
                                    // in the order of turns, beginning with the one after it
};

// `members` in the order of slots, all different; `slot` is one of them (false if not). Programs
// that have not all their ranks here yet count with all of them.
bool place(const Member *members, std::uint32_t count, std::uint32_t slot, std::uint32_t cpu_count,
           Place &result);

} // namespace vmall::runtime
