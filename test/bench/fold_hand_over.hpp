// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the kernel takes for a hand-over of a CPU: no runtime whose ranks are processes can do
// better.
#pragma once

#include <cstdint>

namespace vmall::bench {

// Nanoseconds from one process to the other on this CPU, on average. Throws std::system_error or
// std::runtime_error.
double hand_over_ns(std::uint16_t cpu);

} // namespace vmall::bench
