// SPDX-License-Identifier: GPL-2.0-or-later
//
// A speed-up that was measured at some numbers of processors.
#include "sim/model/speedup.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace vmall::sim {

namespace {

struct Point {
    double processors;
    double speedup;
};

class Table : public Speedup {
  public:
    explicit Table(std::vector<Point> points) : points_(std::move(points)) {}

    double at(double processors) const override {
        const auto right = std::upper_bound(
            points_.begin(), points_.end(), processors,
            [](double value, const Point &point) { return value < point.processors; });
        if (right == points_.begin())
            return processors; // the first point's speed-up is its number of processors
        const Point &left = *(right - 1);
        if (right == points_.end())
            return left.speedup;
        return left.speedup + (right->speedup - left.speedup) * (processors - left.processors) /
                                  (right->processors - left.processors);
    }

  private:
    std::vector<Point> points_; // ascending by processors
};

void check(const std::vector<std::pair<int, double>> &times) {
    if (times.empty())
        throw std::invalid_argument("a table of execution times needs at least one");
    int before = 0;
    for (const auto &[processors, seconds] : times) {
        if (processors <= before) {
            throw std::invalid_argument("the processors of a table of execution times ascend from "
                                        "1 on: " +
                                        std::to_string(processors) + " after " +
                                        std::to_string(before));
        }
        if (!(seconds > 0 && std::isfinite(seconds))) {
            throw std::invalid_argument("an execution time is greater than 0, not " +
                                        std::to_string(seconds) + " (on " +
                                        std::to_string(processors) + " processors)");
        }
        before = processors;
    }
}

} // namespace

SpeedupPointer table_speedup(std::vector<std::pair<int, double>> times) {
    check(times);
    const auto [fewest, longest] = times.front();
    std::vector<Point> points;
    for (const auto &[processors, seconds] : times)
        points.push_back({static_cast<double>(processors), fewest * (longest / seconds)});
    return std::make_shared<Table>(std::move(points));
}

} // namespace vmall::sim
