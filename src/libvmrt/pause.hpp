// SPDX-License-Identifier: GPL-2.0-or-later
//
// When ranks that take turns leave their CPU to the rest of the node, on a kernel that would let
// them starve it (common/group_scheduling.hpp): while none of a place is runnable, all others are
// scheduled. Pure.
//
// By the wall clock: ranks that wait for each other pause at the same time, on all places and
// nodes, so that the pauses do not add up.
#pragma once

#include <cstdint>

namespace vmall::runtime {

inline constexpr std::uint64_t pause_period_ns = 50'000'000;
inline constexpr std::uint64_t pause_ns = 1'000'000;

// 0: there is none now.
inline std::uint64_t left_of_pause(std::uint64_t wall_clock_ns) {
    const std::uint64_t phase = wall_clock_ns % pause_period_ns;
    return phase < pause_ns ? pause_ns - phase : 0;
}

} // namespace vmall::runtime
