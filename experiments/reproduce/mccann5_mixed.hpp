// SPDX-License-Identifier: GPL-2.0-or-later
//
// The simulations of McCann's thesis, s. 5.4: short and long jobs of one application on 16 x 16
// processors.
#pragma once

#include "experiments/mesh/sim/choice.hpp"
#include "experiments/mesh/sim/step_times.hpp"
#include "experiments/reproduce/experiment.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace vmall::sim::reproduce {

// The application with threads that compute from U(t - spread, t + spread). What the policies need
// of it is measured here, once for all runs.
mesh::StepTimes application(double spread);

// What to simulate: the values are those of the thesis.
struct MixedRun {
    mesh::StepTimes step_times; // application(0.005): delta
    double short_share = 0.5;   // p
    double load = 0.5;          // rho
    int jobs = 20000;           // of which the first tenth is not counted
    int limit = 0;              // L; 0: none
    double quantum = 0;         // Q, seconds; 0: no preemption
    double overhead = 0;        // O / Q
    bool relocation_is_free = false;
};

struct Responses {
    double short_jobs = 0; // mean response, seconds
    double long_jobs = 0;  // 0 if there are none, likewise above
    double all = 0;
    double blow_up = 0;           // mean response / mean time alone
    double blow_up_variation = 0; // coefficient of variation of the jobs' blow-up factors
};

// The names of mesh::parse_choice, and what has all processors to itself: these two.
inline const std::string uniprogramming_fcfs = "Uni FCFS";
inline const std::string uniprogramming_sharing = "Uni PS";

// By policy, one for each seed of the context; every policy sees the same workloads.
using ByPolicy = std::map<std::string, std::vector<Responses>>;
ByPolicy simulate_mixes(const std::vector<std::string> &policies, const MixedRun &run,
                        const Context &context);

std::vector<double> values(const std::vector<Responses> &responses, double Responses::*member);

// One for each seed.
std::vector<double> ratios(const std::vector<Responses> &of, const std::vector<Responses> &to,
                           double Responses::*member);

} // namespace vmall::sim::reproduce
