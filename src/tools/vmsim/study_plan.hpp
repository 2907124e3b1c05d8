// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim study: which policies are tried, and on what.
#pragma once

#include "sim/engine/simulate.hpp"
#include "sim/trace/estimates.hpp"

#include <string>
#include <vector>

namespace vmall::vmsim {

// One simulation of the log.
struct Variant {
    std::string name; // of its row
    std::size_t machine = 0;
    policy::Settings settings;
    bool rigid_jobs = false; // under EASY
    double share = 1;        // of the jobs, that takes part
    sim::Estimates estimates = sim::Estimates::of_users;
    bool disturbed = false; // run times are a second off
    bool drawn = false;     // has a line in the picture
    bool by_class = false;  // has rows for jobs by width and by run time
};

struct StudyPlan {
    std::vector<sim::Machine> machines; // the first is one node
    // First EASY with the users' estimates on each machine, which the others on that machine are
    // compared with.
    std::vector<Variant> variants;
};

// "4x25": four nodes of 25 cores. Throws std::invalid_argument that quotes what is wrong.
sim::Machine parse_nodes(const std::string &text);

// On one node of so many cores, and on others, which parse_nodes() takes. Shares of the jobs that
// take part are not tried where the log itself says which do.
StudyPlan study_plan(int cores, const std::vector<std::string> &nodes, bool log_says_who);

} // namespace vmall::vmsim
