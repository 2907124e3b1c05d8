// SPDX-License-Identifier: GPL-2.0-or-later
//
// How jobs find out how well they run, for the policies that go by it. Corbalan's thesis
// s. 6.2.1; in NANOS, the SelfAnalyzer times iterations of the application as it runs.
#pragma once

#include "policy/model.hpp"
#include "sim/engine/work.hpp"
#include "sim/model/job.hpp"
#include "sim/trace/random.hpp"

#include <cstdint>
#include <vector>

namespace vmall::sim {

// Only where the policy goes by it.
struct Measuring {
    // The part of a job's work that it does on one allotment until it knows its speed-up there, and
    // again until it knows it anew: one iteration of its outer loop. 0: it never measures.
    double period = 0.02;
    // A job that measures takes so many times longer, less 1: 0.05 is 5 %.
    double overhead = 0;
    // What is measured is off by a factor from 1 - noise to 1 + noise, each as likely.
    double noise = 0;
    std::uint64_t seed = 0;
};

// Malleable ones, and virtually malleable ones whose useful share is their efficiency.
bool measures(const Measuring &measuring, const Job &job);

// What a job finds out in this shape.
policy::MeasuredSpeedup measure(const Measuring &measuring, const Job &job, const Shape &shape,
                                const FoldingCost &cost, Random &random);

// Takes the place of what was measured on as many processors before, as the most recent.
void remember(std::vector<policy::MeasuredSpeedup> &measured,
              const policy::MeasuredSpeedup &sample);

} // namespace vmall::sim
