// SPDX-License-Identifier: GPL-2.0-or-later
//
// How many values were no more than each of some bounds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace vmall::common {

// Ascending bounds.
template <std::size_t bound_count>
class Distribution {
  public:
    explicit constexpr Distribution(const std::array<double, bound_count> &bounds)
        : bounds_(bounds) {}

    void note(double value) {
        ++count_;
        sum_ += value;
        for (std::size_t i = 0; i < bound_count; ++i)
            at_most_[i] += value <= bounds_[i];
    }

    const std::array<double, bound_count> &bounds() const { return bounds_; }
    const std::array<std::uint64_t, bound_count> &at_most() const { return at_most_; }
    std::uint64_t count() const { return count_; }
    double sum() const { return sum_; }

  private:
    std::array<double, bound_count> bounds_;
    std::array<std::uint64_t, bound_count> at_most_{};
    std::uint64_t count_ = 0;
    double sum_ = 0;
};

} // namespace vmall::common
