// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the kernel takes for a hand-over of a CPU: no runtime whose ranks are processes can do
// better.
#pragma once

#include <cstdint>

namespace vmall::bench {

// Nanoseconds from one process to the next in a ring of them on this CPU, on average. With more
// than two, caches and translations of the next one are colder. Throws std::system_error or
// std::runtime_error.
double hand_over_ns(std::uint16_t cpu, std::uint32_t processes);

} // namespace vmall::bench
