// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the kernel has given the calling thread.
#pragma once

#include <cstdint>

namespace vmall::runtime {

struct ThreadTime {
    std::uint64_t ran_ns;
    std::uint64_t stood_in_line_ns; // for a CPU that others had
};

// All zeros where the kernel keeps no account (CONFIG_SCHED_INFO).
ThreadTime thread_time();

} // namespace vmall::runtime
