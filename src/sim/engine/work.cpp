// SPDX-License-Identifier: GPL-2.0-or-later
//
// How fast a job gets on with its work.
#include "sim/engine/work.hpp"

#include "sim/model/useful_share.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace vmall::sim {

namespace {

constexpr double end_of_time = 1e18; // milliseconds; far beyond, and fits

double speedup(const Job &job, double processors) {
    return job.speedup ? job.speedup->at(processors) : processors;
}

// On fewer cores than processes: as much as on as many processors, or, where it is known how much
// the processes wait, as much as they compute.
double folded_speed(const Job &job, const Shape &shape) {
    const std::optional<double> share = useful_share(job, shape.processes);
    if (!share)
        return speedup(job, static_cast<double>(shape.processes) / shape.mpl);
    return speedup(job, shape.processes) / std::max(1.0, shape.mpl * *share);
}

} // namespace

double work_rate(const Job &job, const Shape &shape, const FoldingCost &cost) {
    double speed;
    if (job.malleable)
        speed = speedup(job, static_cast<double>(shape.cores) / job.cores_per_process);
    else if (shape.mpl == 1 && shape.processes == job.runtime_processes)
        return 1;
    else
        speed = folded_speed(job, shape) / cost.at(shape.mpl);
    const double rate = speed / speedup(job, job.runtime_processes);
    if (!(rate > 0)) {
        throw std::logic_error("job " + std::to_string(job.id) + " does not get on with " +
                               std::to_string(shape.processes) + " processes on " +
                               std::to_string(shape.cores) + " cores");
    }
    return rate;
}

Milliseconds time_for(double work, double rate) {
    const double time = work / rate + 0.5;
    return static_cast<Milliseconds>(time < end_of_time ? time : end_of_time);
}

} // namespace vmall::sim
