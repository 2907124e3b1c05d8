// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a node's kernel takes to hand a CPU from one process to another, as its agent has measured
// it (common/hand_over.hpp).
#pragma once

#include <cstdint>
#include <string>

namespace vmall::wire {

inline constexpr std::uint32_t highest_hand_over_ns = 10'000'000; // else it is something else

struct HandOver {
    std::uint32_t ns = 0; // 1 to highest_hand_over_ns
    std::int64_t measured_at = 0;
    friend bool operator==(const HandOver &a, const HandOver &b) {
        return a.ns == b.ns && a.measured_at == b.measured_at;
    }
};

// For people, at a time: "2 to 5 us, measured in the last 24 h".
std::string describe(const HandOver &hand_over, std::int64_t now);

} // namespace vmall::wire
