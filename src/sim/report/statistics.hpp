// SPDX-License-Identifier: GPL-2.0-or-later
//
// One measure over many jobs.
#pragma once

#include <cstddef>
#include <vector>

namespace vmall::sim {

// All 0 if there are no values.
struct Statistics {
    std::size_t count = 0;
    double mean = 0;
    double median = 0;    // the mean of the two in the middle if the count is even
    double p95 = 0;       // the least value that at least 95 % of them do not exceed
    double deviation = 0; // standard deviation of the sample; 0 if the count is 1
};

Statistics describe(std::vector<double> values);

// The least of the values, which ascend, that at least so many percent of them do not exceed; 0 to
// 100. There must be some.
double percentile(const std::vector<double> &ascending, double percent);

} // namespace vmall::sim
