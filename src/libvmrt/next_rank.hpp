// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who gets the turn that a rank gives away (thesis, s. 4.3.1 c).
//
// The rules go by hints, which may be missing or wrong: every so many turns the ranks get one in
// rotation, so that each gets its turn to poll. Round robin, too, passes over those that would poll
// in vain.
#pragma once

#include "layout/control_block.h"
#include "layout/runtime_page.h"

#include <cstdint>

namespace vmall::runtime {

// Whom a CPU can be handed to.
struct Line {
    const std::uint16_t *ranks; // slots in the order of turns, beginning with the one after the
                                // giver; without the giver
    std::uint32_t count;
    std::uint32_t givers_place; // in the order of slots, 0 to count
    std::uint32_t cpu;
};

// Every so many turns of a CPU go by rotation.
inline constexpr std::uint32_t rotation_period = 32;

// The rank does not hold a turn, and would run if it got this one. A rank that computes without
// having the turn (it found a message when its patience ended) is as welcome to it as one that
// waits: else those who wait would poll against it.
bool is_ready(const vmall_runtime_page &page, const Line &line, std::uint32_t slot);

// All that a rank could go on by so far, as a number that changes when there is more.
std::uint32_t heard_of(const vmall_runtime_slot &rank);

// Whether the rank in that slot has sent messages under that name lately. Ranks of several MPI
// programs may have the same.
bool speaks(const vmall_runtime_slot &slot, std::uint32_t as);

// Whether a ready rank has got what it may go on by since it last polled in vain; or no message
// ever, for then its messages are not counted.
bool has_news(const vmall_runtime_page &page, const Line &line);

// The slot of a ready rank, VMALL_RUNTIME_SLOTS if there is none. `giver` gives its turn away, the
// CPU's turn number `turn`.
std::uint32_t choose_next(vmall_next_rank rule, const vmall_runtime_page &page, const Line &line,
                          std::uint32_t giver, std::uint32_t turn);

} // namespace vmall::runtime
