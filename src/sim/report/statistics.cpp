// SPDX-License-Identifier: GPL-2.0-or-later
//
// One measure over many jobs.
#include "sim/report/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vmall::sim {

Statistics describe(std::vector<double> values) {
    Statistics result;
    result.count = values.size();
    if (values.empty())
        return result;
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    result.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n);
    result.median = (values[(n - 1) / 2] + values[n / 2]) / 2;
    result.p95 = values[(n * 95 + 99) / 100 - 1];
    double squares = 0;
    for (const double value : values)
        squares += (value - result.mean) * (value - result.mean);
    result.deviation = n > 1 ? std::sqrt(squares / static_cast<double>(n - 1)) : 0;
    return result;
}

double percentile(const std::vector<double> &ascending, double percent) {
    const double rank = std::ceil(static_cast<double>(ascending.size()) * percent / 100);
    return ascending[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

} // namespace vmall::sim
