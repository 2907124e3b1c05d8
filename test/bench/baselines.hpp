// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ways to share CPUs that ours is measured against, and that no job can have: values of the control
// block for a libvmrt.so with baselines.cpp in it.
#pragma once

#include <cstdint>

namespace vmall::bench {

// A rank polls for ever: its turn ends by the kernel's time slice.
inline constexpr std::uint32_t waiting_busy = 1001;

// A turn lasts 10 ms, also while the rank waits (thesis, table 4.4). Then it goes by messages, if
// the control block says so.
inline constexpr std::uint32_t coscheduling_periodic_boost = 1001;

} // namespace vmall::bench
