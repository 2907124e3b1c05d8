// SPDX-License-Identifier: GPL-2.0-or-later
//
// How many core-seconds a job has held: what Slurm's accounting must agree with.
#pragma once

#include "policy/time.hpp"

#include <algorithm>
#include <cstdint>

namespace vmall::sched {

struct Holding {
    policy::Seconds since = 0; // of the present stretch
    std::uint64_t cores = 0;   // in it; 0 while the job is suspended or completing
    std::uint64_t before = 0;  // core-seconds of the stretches before

    std::uint64_t core_seconds(policy::Seconds now) const {
        return before +
               cores * static_cast<std::uint64_t>(std::max<policy::Seconds>(0, now - since));
    }

    void change(std::uint64_t to, policy::Seconds now) {
        if (to == cores)
            return;
        before = core_seconds(now);
        since = std::max(since, now);
        cores = to;
    }
};

} // namespace vmall::sched
