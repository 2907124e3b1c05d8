// SPDX-License-Identifier: GPL-2.0-or-later
//
// All that vmctl top is told at one moment.
#pragma once

#include "control/query.hpp"
#include "tools/vmctl/ask.hpp"

#include <chrono>
#include <ctime>
#include <string>
#include <vector>

namespace vmall::vmctl::top {

struct Observation {
    std::time_t at = 0;
    std::vector<control::JobRow> jobs;
    std::vector<control::WaitingRow> queue; // in its order
    std::vector<control::Stat> stats;
};

// Throws what ask() and the decoding throw.
Observation observe(const Controller &controller, std::chrono::milliseconds patience);

std::string encode(const Observation &observation); // JSON: jobs, queue and stats, as each alone

} // namespace vmall::vmctl::top
