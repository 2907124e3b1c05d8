// SPDX-License-Identifier: GPL-2.0-or-later
//
// How one job fared.
#include "sim/report/measures.hpp"

#include <algorithm>

namespace vmall::sim {

namespace {

double seconds(Milliseconds time) {
    return static_cast<double>(time) / 1000;
}

Milliseconds time_alone(const JobOutcome &outcome) {
    const Job &job = *outcome.job;
    return outcome.end == End::killed && job.time_limit > 0
               ? std::min<Milliseconds>(job.runtime, job.time_limit * 1000)
               : job.runtime;
}

} // namespace

Measures measure(const JobOutcome &outcome, Milliseconds slowdown_bound) {
    const Milliseconds response = outcome.ended - outcome.job->submit;
    const Milliseconds alone = time_alone(outcome);
    Measures result;
    result.wait = seconds(response - outcome.held);
    result.response = seconds(response);
    result.run_time = seconds(outcome.held);
    result.slowdown = result.response / seconds(std::max<Milliseconds>(alone, 1000));
    result.bounded_slowdown =
        std::max(result.response / seconds(std::max(alone, slowdown_bound)), 1.0);
    result.average_allotment = outcome.held > 0 ? static_cast<double>(outcome.core_milliseconds) /
                                                      static_cast<double>(outcome.held)
                                                : 0;
    return result;
}

} // namespace vmall::sim
