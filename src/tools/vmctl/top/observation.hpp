// SPDX-License-Identifier: GPL-2.0-or-later
//
// All that vmctl top is told at one moment.
#pragma once

#include "tools/vmctl/ask.hpp"
#include "wire/query.hpp"

#include <chrono>
#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace vmall::vmctl::top {

struct Observation {
    std::time_t at = 0;
    std::vector<wire::JobRow> jobs;
    std::vector<wire::WaitingRow> queue; // in its order
    std::vector<wire::Stat> stats;
    std::time_t since = 0;                // by the clock of this host
    std::vector<wire::HistoryRow> events; // from then on, the oldest first
    std::vector<std::string> silent;      // nodes that did not tell, and why (mode=node)
};

// Who is asked.
struct Source {
    std::string name;
    // With what happened since an observation before, or else in the last ten minutes. Throws
    // std::exception.
    std::function<Observation(std::optional<std::time_t> before)> observe;
};

Source source_of(const Controller &controller, std::chrono::milliseconds patience);

// JSON: jobs, queue, stats and history, as each alone.
std::string encode(const Observation &observation);

} // namespace vmall::vmctl::top
