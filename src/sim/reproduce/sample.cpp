// SPDX-License-Identifier: GPL-2.0-or-later
//
// Student's t: the seeds are few.
#include "sim/reproduce/sample.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace vmall::sim::reproduce {

namespace {

double mean_of(const std::vector<double> &values) {
    double sum = 0;
    for (const double value : values) {
        if (!std::isfinite(value)) {
            throw std::invalid_argument("a measured value is not a finite number");
        }
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

double deviation_of(const std::vector<double> &values, double mean) {
    double squares = 0;
    for (const double value : values) {
        squares += (value - mean) * (value - mean);
    }
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

} // namespace

Summary summarise(const std::vector<double> &values) {
    if (values.empty()) {
        throw std::invalid_argument("nothing was measured");
    }
    Summary summary;
    summary.count = static_cast<int>(values.size());
    summary.mean = mean_of(values);
    double half = std::numeric_limits<double>::infinity();
    if (values.size() > 1) {
        summary.deviation = deviation_of(values, summary.mean);
        const boost::math::students_t student(summary.count - 1);
        half = boost::math::quantile(student, 0.975) * summary.deviation /
               std::sqrt(static_cast<double>(summary.count));
    }
    summary.low = summary.mean - half;
    summary.high = summary.mean + half;
    return summary;
}

} // namespace vmall::sim::reproduce
