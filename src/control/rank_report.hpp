// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the nodes know of the ranks of a job: how many libvmrt serves, and what they did so far. It
// comes from pages that the job itself writes: good for advice, not for anything that must be true.
#pragma once

#include <cstdint>

namespace vmall::control {

struct RankReport {
    std::uint32_t tasks = 0;      // rank processes that run
    std::uint32_t attached = 0;   // of them, with libvmrt; at most `tasks`
    std::uint64_t useful_ns = 0;  // computing, since they attached; all sums stop at the highest
    std::uint64_t waiting_ns = 0; // in MPI without a message
    std::uint64_t switches = 0;   // handed their core to another rank
    std::uint64_t messages = 0;   // sent

    RankReport &operator+=(const RankReport &other);
};

} // namespace vmall::control
