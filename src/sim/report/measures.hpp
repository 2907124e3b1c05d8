// SPDX-License-Identifier: GPL-2.0-or-later
//
// How one job fared. Times are in seconds.
#pragma once

#include "sim/engine/outcome.hpp"

namespace vmall::sim {

inline constexpr Milliseconds usual_slowdown_bound = 10 * 1000; // Feitelson et al. (1997)

struct Measures {
    double wait = 0;     // without cores: before its start, after a requeue, suspended
    double response = 0; // from submission to end
    double run_time = 0; // with cores
    // Response over the time the job takes alone as it was recorded, up to its time limit, which is
    // taken for at least a second, or for at least the bound; the bounded one is at least 1.
    double slowdown = 0;
    double bounded_slowdown = 0;
    double average_allotment = 0; // cores, while it had any
};

// Of a job that has ended.
Measures measure(const JobOutcome &outcome, Milliseconds slowdown_bound);

} // namespace vmall::sim
