// SPDX-License-Identifier: GPL-2.0-or-later
//
// The two classes of jobs of McCann's simulations (s. 5.4): the same application, short or long.
#pragma once

#include "sim/model/job.hpp"

#include <cstdint>

namespace vmall::sim::mesh {

struct Mix {
    double short_share = 0.5; // p: of the jobs, from 0 to 1
    double load = 0.5;        // rho: of the machine, if jobs ran one after the other
    double mean_short = 30;   // seconds that a job takes alone on the machine
    double mean_long = 900;
    double step = 0.102; // seconds of one step of the application, alone
    int jobs = 1000;
};

// Poisson arrivals; each job takes a geometric number of steps, at least one. `runtime` is the time
// alone on the whole machine; sizes are the `processors` of the machine. The same seed draws the
// same classes and numbers for every load.
Workload mixed_workload(const Mix &mix, int processors, std::uint64_t seed);

} // namespace vmall::sim::mesh
