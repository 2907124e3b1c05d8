// SPDX-License-Identifier: GPL-2.0-or-later
//
// Speed-up by process, or a number of the log.
#include "sim/model/useful_share.hpp"

#include <algorithm>

namespace vmall::sim {

std::optional<double> useful_share(const Job &job, int processes) {
    constexpr double least = 0.01;
    if (job.useful_by_efficiency)
        return std::clamp(job.speedup->at(processes) / processes, least, 1.0);
    if (job.useful_percent)
        return *job.useful_percent / 100.0;
    return std::nullopt;
}

void go_by_efficiency(Workload &workload) {
    for (Job &job : workload.jobs)
        job.useful_by_efficiency = job.speedup != nullptr;
}

} // namespace vmall::sim
