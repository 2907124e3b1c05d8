// SPDX-License-Identifier: GPL-2.0-or-later
//
// Checks that any outcome with recorded allotments has to pass.
#include "audit.hpp"

#include "sim/engine/work.hpp"

#include <cmath>
#include <map>

using namespace vmall::sim;

namespace {

std::string name(const JobOutcome &job) {
    return "job " + std::to_string(job.job->id) + ": ";
}

std::string check_machine(const Outcome &outcome) {
    std::map<Milliseconds, int> changes;
    for (const auto &job : outcome.jobs) {
        int held = 0;
        for (const auto &allotment : job.allotments) {
            changes[allotment.begin] += allotment.cores - held;
            held = allotment.cores;
        }
        changes[job.ended] -= held;
    }
    int held = 0;
    for (const auto &[time, change] : changes) {
        held += change;
        if (held > outcome.cores)
            return std::to_string(held) + " cores held at " + std::to_string(time);
    }
    return "";
}

std::string check_job(const JobOutcome &job, const Options &options) {
    std::int64_t core_milliseconds = 0;
    Milliseconds held = 0;
    double work = 0;
    double tolerance = 1;
    for (std::size_t i = 0; i < job.allotments.size(); i++) {
        const auto &it = job.allotments[i];
        const bool last = i + 1 == job.allotments.size();
        const Milliseconds time = (last ? job.ended : job.allotments[i + 1].begin) - it.begin;
        if (time < 0 || it.begin < job.job->submit)
            return name(job) + "an allotment at " + std::to_string(it.begin);
        core_milliseconds += it.cores * time;
        held += it.cores > 0 ? time : 0;
        if (it.cores == 0) {
            work = job.starts > 1 ? 0 : work; // requeued, or suspended
            continue;
        }
        const double rate =
            work_rate(*job.job, {job.processes, it.cores, it.mpl}, options.folding_cost);
        work += static_cast<double>(time) * rate;
        tolerance += rate;
    }
    if (core_milliseconds != job.core_milliseconds || held != job.held)
        return name(job) + "core time is not what its allotments say";
    if (job.end == End::completed &&
        std::abs(work - static_cast<double>(job.job->runtime)) > tolerance) {
        return name(job) + std::to_string(work) + " ms of work done instead of " +
               std::to_string(job.job->runtime);
    }
    return "";
}

} // namespace

std::string audit(const Outcome &outcome, const Options &options) {
    for (const auto &job : outcome.jobs) {
        const std::string problem = check_job(job, options);
        if (!problem.empty())
            return problem;
    }
    return check_machine(outcome);
}
