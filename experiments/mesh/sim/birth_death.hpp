// SPDX-License-Identifier: GPL-2.0-or-later
//
// Mean response time of a Markovian birth-death model whose states are numbers of jobs (McCann's
// thesis, s. 5.3).
#pragma once

#include <vector>

namespace vmall::sim::mesh {

// By what factor a job takes longer than alone, on average (the "mean blow-up factor"). Jobs arrive
// at `load` (above 0) per time that one takes alone; preserved[n - 1] is EP with n jobs, at least
// one value, none below 0, and with more jobs than there are values it stays at the last: the limit
// on jobs at a time, L. Infinity if the load is not below that, or a value is 0.
//
// The rate of completions with n jobs is EP(n) / E; the scan prints 1 / (E EP(n)), under which jobs
// would end sooner the less efficient a policy is.
double mean_blow_up(const std::vector<double> &preserved, double load);

} // namespace vmall::sim::mesh
