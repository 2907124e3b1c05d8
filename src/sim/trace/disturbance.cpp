// SPDX-License-Identifier: GPL-2.0-or-later
//
// A recorded workload that is all but the same, to see how far a policy differs from itself by
// chance.
#include "sim/trace/disturbance.hpp"

#include <algorithm>

namespace vmall::sim {

namespace {

constexpr Milliseconds second = 1000;

void change_run_time(Job &job, Milliseconds by) {
    if (job.runtime < second)
        return;
    job.runtime = std::max(job.runtime + by, second);
    const policy::Seconds needed = (job.runtime + second - 1) / second;
    for (policy::Seconds *bound : {&job.estimate, &job.time_limit})
        if (*bound > 0)
            *bound = std::max(*bound, needed);
}

} // namespace

void disturb_run_times(Workload &workload) {
    Milliseconds by = -second;
    for (Job &job : workload.jobs) {
        change_run_time(job, by);
        by = by == second ? -second : by + second;
    }
}

} // namespace vmall::sim
