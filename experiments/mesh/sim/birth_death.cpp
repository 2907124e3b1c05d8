// SPDX-License-Identifier: GPL-2.0-or-later
//
// Mean response time of a Markovian birth-death model.
#include "experiments/mesh/sim/birth_death.hpp"

#include <algorithm>
#include <limits>

namespace vmall::sim::mesh {

// Little's law: mean jobs over arrivals per time. Probabilities are relative to the empty state's.
// From state L on they are a geometric series with this ratio.
double mean_blow_up(const std::vector<double> &preserved, double load) {
    const double ratio = load / preserved.back();
    const bool stuck = std::find(preserved.begin(), preserved.end(), 0) != preserved.end();
    if (stuck || ratio >= 1)
        return std::numeric_limits<double>::infinity();
    double probability = 1;
    double total = 1;
    double jobs = 0;
    for (std::size_t n = 1; n <= preserved.size(); n++) {
        probability *= load / preserved[n - 1];
        total += probability;
        jobs += static_cast<double>(n) * probability;
    }
    const double beyond = probability * ratio / (1 - ratio);
    const double limit = static_cast<double>(preserved.size());
    jobs += beyond * (limit + 1 / (1 - ratio));
    total += beyond;
    return jobs / total / load;
}

} // namespace vmall::sim::mesh
