// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which jobs count in statistics: those of a machine that is neither filling nor emptying, say.
#pragma once

#include "sim/engine/outcome.hpp"

#include <string>
#include <vector>

namespace vmall::sim {

// So many jobs, or so many percent of them (rounded down).
struct Share {
    std::size_t jobs = 0;
    double percent = 0;
};

// "100" or "1%", "2.5%". Throws std::invalid_argument that quotes what is wrong.
Share parse_share(const std::string &text);

// What is left out, in this order.
struct Selection {
    bool no_tiny_jobs = false;   // one core, and an estimate of a second at most
    Share warm_up;               // the first ones to end
    Share cool_down;             // the last ones to end
    bool while_arriving = false; // those that end after the last of all jobs was submitted
};

// What the independent simulator pyss counts: no tiny jobs, nor the first 1 % to end, nor those
// that end when no more jobs arrive.
Selection steady_state();

// For each job of the outcome, whether it counts. Jobs that never started do not; jobs that end at
// the same time do so in the order of the workload.
std::vector<bool> select(const Outcome &outcome, const Selection &selection);

} // namespace vmall::sim
