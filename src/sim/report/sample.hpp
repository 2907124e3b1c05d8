// SPDX-License-Identifier: GPL-2.0-or-later
//
// Mean and confidence of what several runs with different random numbers gave.
#pragma once

#include <vector>

namespace vmall::sim {

struct Sample {
    int count = 0;
    double mean = 0;
    double deviation = 0; // standard deviation of the sample; 0 if count is 1
    // The 95 % confidence interval of the mean (Student's t). With one value it has no bounds:
    // minus and plus infinity.
    double low = 0;
    double high = 0;
};

// At least one value, all finite; throws std::invalid_argument otherwise.
Sample summarise(const std::vector<double> &values);

} // namespace vmall::sim
