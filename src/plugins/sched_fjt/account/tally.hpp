// SPDX-License-Identifier: GPL-2.0-or-later
//
// How often something has happened, by labels.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace vmall::sched {

// Each is told apart from at most `highest` others, whatever nodes and partitions come and go: what
// comes then counts under the label "other".
template <std::size_t label_count>
class Tally {
  public:
    using Labels = std::array<std::string, label_count>;

    static constexpr std::size_t highest = 2048;

    void count(Labels labels) {
        if (counts_.size() >= highest && !counts_.count(labels))
            labels.front() = "other";
        ++counts_[std::move(labels)];
    }

    const std::map<Labels, std::uint64_t> &counts() const { return counts_; }

    std::uint64_t total() const {
        std::uint64_t sum = 0;
        for (const auto &[labels, count] : counts_)
            sum += count;
        return sum;
    }

  private:
    std::map<Labels, std::uint64_t> counts_;
};

} // namespace vmall::sched
