// SPDX-License-Identifier: GPL-2.0-or-later
//
// How fast a job gets on with its work, which is measured in milliseconds of its recorded run.
#pragma once

#include "sim/model/folding_cost.hpp"
#include "sim/model/job.hpp"

namespace vmall::sim {

// How a job runs at the moment.
struct Shape {
    int processes = 1;
    int cores = 1;
    int mpl = 1;
};

// Work per millisecond: 1 as it was recorded. Throws std::logic_error if its speed-up curve is not
// positive there.
double work_rate(const Job &job, const Shape &shape, const FoldingCost &cost);

// Until this much is done at this rate, to the nearest millisecond.
Milliseconds time_for(double work, double rate);

} // namespace vmall::sim
