// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the kernel takes to hand a CPU from one process to another: processes on one CPU wake each
// other in turn and sleep. No runtime whose ranks are processes can do better.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace vmall::common {

struct HandOverRing {
    std::uint32_t processes = 4; // 2 to 16; with more, caches and translations are colder
    std::uint32_t rounds = 1000;
    std::optional<int> cpu = {}; // empty: where the kernel puts the first of them
    std::chrono::milliseconds patience = std::chrono::seconds(1);
};

// Nanoseconds of CPU time from one process to the next, on average: who else wants the CPU makes
// little difference to that. The processes are children of this one, with an address space each,
// which die with the calling thread; they have next to no weight, and give way to everybody. Empty:
// the CPU had too little time for them. Throws std::system_error.
std::optional<double> hand_over_ns(const HandOverRing &ring);

} // namespace vmall::common
