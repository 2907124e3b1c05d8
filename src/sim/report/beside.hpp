// SPDX-License-Identifier: GPL-2.0-or-later
//
// How the jobs of a workload fared under one policy beside another, job by job.
#pragma once

#include "sim/report/measures.hpp"

#include <string>
#include <vector>

namespace vmall::sim {

// What is kept of a job's outcome.
struct Fare {
    bool ended = false;
    double response = 0; // seconds
    double bounded_slowdown = 0;
    int resizes = 0; // folds and unfolds
    double wait = 0;
    std::string user = {}; // empty: not known
};

// By job, in the order of the workload.
std::vector<Fare> fares(const Outcome &outcome, Milliseconds slowdown_bound);

// Of the jobs that ended under both.
struct Beside {
    std::size_t jobs = 0; // without any all the rest is 0
    double response = 0;  // the mean over the other one's mean, as the next one
    double bounded_slowdown = 0;
    double resizes = 0;      // for each job
    double longest_wait = 0; // over the longest under the other policy; 0: nobody waited there
    // Of the users with at least 20 jobs: the mean response of the one who lost most, over that
    // under the other policy. 0: there is none.
    double worst_user = 0;
    // Response over that under the other policy, both taken for at least a second; ascending.
    std::vector<double> ratios;
};

// Of one workload; of the jobs that are chosen only. Throws std::invalid_argument if they are not
// as many.
Beside beside(const std::vector<Fare> &fares, const std::vector<Fare> &other,
              const std::vector<bool> &chosen);

} // namespace vmall::sim
