// SPDX-License-Identifier: GPL-2.0-or-later
//
// Student's t: the seeds are few.
#include "sim/report/sample.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace vmall::sim {

namespace {

double mean_of(const std::vector<double> &values) {
    double sum = 0;
    for (const double value : values) {
        if (!std::isfinite(value))
            throw std::invalid_argument("a measured value is not a finite number");
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

double deviation_of(const std::vector<double> &values, double mean) {
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

} // namespace

Sample summarise(const std::vector<double> &values) {
    if (values.empty())
        throw std::invalid_argument("nothing was measured");
    Sample sample;
    sample.count = static_cast<int>(values.size());
    sample.mean = mean_of(values);
    double half = std::numeric_limits<double>::infinity();
    if (values.size() > 1) {
        sample.deviation = deviation_of(values, sample.mean);
        const boost::math::students_t student(sample.count - 1);
        half = boost::math::quantile(student, 0.975) * sample.deviation /
               std::sqrt(static_cast<double>(sample.count));
    }
    sample.low = sample.mean - half;
    sample.high = sample.mean + half;
    return sample;
}

} // namespace vmall::sim
