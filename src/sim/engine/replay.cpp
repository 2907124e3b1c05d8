// SPDX-License-Identifier: GPL-2.0-or-later
//
// The schedule that a workload was recorded with, in the form of a simulation's outcome.
#include "sim/engine/replay.hpp"

#include <algorithm>
#include <stdexcept>

namespace vmall::sim {

namespace {

JobOutcome as_recorded(const Job &job, bool record_allotment) {
    JobOutcome outcome;
    outcome.job = &job;
    if (!job.recorded_start)
        return outcome;
    const int cores = job.runtime_processes * job.cores_per_process;
    outcome.end = End::completed;
    outcome.started = *job.recorded_start;
    outcome.ended = outcome.started + job.runtime;
    outcome.held = job.runtime;
    outcome.processes = job.runtime_processes;
    outcome.starts = 1;
    outcome.core_milliseconds = cores * job.runtime;
    if (record_allotment)
        outcome.allotments = {{outcome.started, cores, 1}};
    return outcome;
}

} // namespace

Outcome replay(const Workload &workload, int cores, bool record_allotments) {
    const bool recorded = std::any_of(workload.jobs.begin(), workload.jobs.end(),
                                      [](const Job &job) { return job.recorded_start; });
    if (!recorded)
        throw std::invalid_argument(workload.source + ": no job says when it was started");
    Outcome outcome;
    outcome.cores = cores;
    for (const Job &job : workload.jobs)
        outcome.jobs.push_back(as_recorded(job, record_allotments));
    return outcome;
}

} // namespace vmall::sim
