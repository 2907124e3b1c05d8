// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ways to share CPUs that ours is measured against, and that no job can have: values of the control
// block for a libvmrt.so with baselines.cpp in it.
#pragma once

#include <cstdint>

namespace vmall::bench {

// Values of `coscheduling`. A rank polls for ever: its turn ends by the kernel's time slice.
inline constexpr std::uint32_t coscheduling_busy = 1002;

// A rank polls for 50 us in a wait before it gives its turn away (thesis, s. 4.3.1 a).
inline constexpr std::uint32_t coscheduling_spin = 1003;

// A turn lasts 10 ms, also while the rank waits (thesis, table 4.4). Then it goes by messages, if
// the control block says so.
inline constexpr std::uint32_t coscheduling_periodic_boost = 1001;

} // namespace vmall::bench
