// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a policy made of a workload, in numbers.
#pragma once

#include "sim/report/measures.hpp"
#include "sim/report/selection.hpp"
#include "sim/report/statistics.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace vmall::sim {

// Jobs that have something in common.
struct Group {
    std::string name;
    Statistics wait; // seconds, as the next one
    Statistics response;
    Statistics slowdown;
    Statistics bounded_slowdown;
    Statistics average_allotment; // cores
};

struct SummaryOptions {
    Selection selection;
    Milliseconds slowdown_bound = usual_slowdown_bound;
};

struct Summary {
    std::string policy; // as it was asked for
    std::string workload;
    std::int64_t unix_start = 0; // of the workload, in seconds since 1970; 0: not known
    int cores = 0;

    // Of the selected jobs.
    Group all;
    std::vector<Group> classes;      // by name: those that occur
    std::vector<Group> applications; // by name; empty if no job names one

    // Of the whole workload.
    std::size_t jobs = 0;
    std::size_t completed = 0;
    std::size_t killed = 0;
    std::size_t never_started = 0;
    std::size_t backfilled = 0; // jobs, by their last start
    std::int64_t folds = 0;
    std::int64_t unfolds = 0;
    std::int64_t expiries = 0;
    std::int64_t requeues = 0;
    double wasted_core_hours = 0; // work thrown away
    double makespan = 0;          // seconds from the first submission to the last end
    double utilisation = 0;       // core time held over cores times makespan, 0 to 1
    std::int64_t decisions = 0;   // times the policy was asked
};

Summary summarise(const Outcome &outcome, const SummaryOptions &options);

// Keys in a fixed order, numbers rounded to a millionth: the same text for the same summary. What
// is not known, and statistics of no jobs, are null.
nlohmann::ordered_json to_json(const Summary &summary);

} // namespace vmall::sim
