// SPDX-License-Identifier: GPL-2.0-or-later
//
// How the jobs of a workload fared under one policy beside another, job by job.
#include "sim/report/beside.hpp"

#include <algorithm>
#include <stdexcept>

namespace vmall::sim {

std::vector<Fare> fares(const Outcome &outcome, Milliseconds slowdown_bound) {
    std::vector<Fare> result;
    result.reserve(outcome.jobs.size());
    for (const JobOutcome &job : outcome.jobs) {
        Fare fare;
        fare.ended = job.end != End::never_started;
        if (fare.ended) {
            const Measures measures = measure(job, slowdown_bound);
            fare.response = measures.response;
            fare.bounded_slowdown = measures.bounded_slowdown;
            fare.resizes = job.folds + job.unfolds;
        }
        result.push_back(fare);
    }
    return result;
}

Beside beside(const std::vector<Fare> &fares, const std::vector<Fare> &other,
              const std::vector<bool> &chosen) {
    if (fares.size() != other.size() || fares.size() != chosen.size())
        throw std::invalid_argument("these are not the same jobs");
    Beside result;
    Fare sum;
    Fare other_sum;
    for (std::size_t job = 0; job < fares.size(); job++) {
        if (!chosen[job] || !fares[job].ended || !other[job].ended)
            continue;
        result.jobs++;
        sum.response += fares[job].response;
        sum.bounded_slowdown += fares[job].bounded_slowdown;
        result.resizes += fares[job].resizes;
        other_sum.response += other[job].response;
        other_sum.bounded_slowdown += other[job].bounded_slowdown;
        result.ratios.push_back(std::max(fares[job].response, 1.0) /
                                std::max(other[job].response, 1.0));
    }
    if (result.jobs == 0)
        return result;
    // Jobs that take no time at all respond as soon under both.
    result.response = other_sum.response > 0 ? sum.response / other_sum.response : 1;
    result.bounded_slowdown = sum.bounded_slowdown / other_sum.bounded_slowdown;
    result.resizes /= static_cast<double>(result.jobs);
    std::sort(result.ratios.begin(), result.ratios.end());
    return result;
}

} // namespace vmall::sim
