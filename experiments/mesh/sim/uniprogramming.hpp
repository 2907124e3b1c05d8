// SPDX-License-Identifier: GPL-2.0-or-later
//
// One job at a time on the whole machine: what McCann's thesis compares fairness with (s. 5.4.1,
// figure 5.9).
#pragma once

#include "sim/model/job.hpp"

#include <vector>

namespace vmall::sim::mesh {

// Response times in milliseconds, in the order of the workload, which is that of submission.

// First come, first served.
std::vector<double> fcfs_responses(const Workload &workload);

// Processor sharing: all jobs at once, each as fast as if it had an equal share of the time, at no
// cost.
std::vector<double> processor_sharing_responses(const Workload &workload);

} // namespace vmall::sim::mesh
