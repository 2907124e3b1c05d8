// SPDX-License-Identifier: GPL-2.0-or-later
//
// A set of process counts.
#include "common/sizes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace vmall::common {

namespace {

using Range = Sizes::Range;

std::vector<Range> ranges_of(const int *begin, const int *end) {
    std::vector<Range> ranges;
    ranges.reserve(static_cast<std::size_t>(end - begin));
    std::transform(begin, end, std::back_inserter(ranges), [](int size) {
        return Range{size, size};
    });
    return ranges;
}

bool touches(const Range &left, const Range &right) {
    return right.first <= left.last || right.first - 1 == left.last;
}

// The first range that ends at this or later.
std::vector<Range>::const_iterator around(const std::vector<Range> &ranges, int size) {
    return std::lower_bound(
        ranges.begin(), ranges.end(), size,
        [](const Range &range, int value) { return range.last < value; });
}

} // namespace

Sizes::Sizes(std::initializer_list<int> sizes) : Sizes(ranges_of(sizes.begin(), sizes.end())) {}

Sizes::Sizes(const std::vector<int> &sizes)
    : Sizes(ranges_of(sizes.data(), sizes.data() + sizes.size())) {}

Sizes::Sizes(std::vector<Range> ranges) {
    std::sort(ranges.begin(), ranges.end(),
              [](const Range &left, const Range &right) { return left.first < right.first; });
    for (const Range &range : ranges) {
        if (range.first > range.last)
            continue;
        if (ranges_.empty() || !touches(ranges_.back(), range))
            ranges_.push_back(range);
        else
            ranges_.back().last = std::max(ranges_.back().last, range.last);
    }
}

int Sizes::count() const {
    int count = 0;
    for (const Range &range : ranges_)
        count += range.last - range.first + 1;
    return count;
}

bool Sizes::contains(int size) const {
    const auto range = around(ranges_, size);
    return range != ranges_.end() && range->first <= size;
}

std::optional<int> Sizes::largest_up_to(int most) const {
    const auto range = around(ranges_, most);
    if (range != ranges_.end() && range->first <= most)
        return most;
    return range == ranges_.begin() ? std::nullopt : std::optional(std::prev(range)->last);
}

int Sizes::at(int place) const {
    auto range = ranges_.begin();
    for (; place > range->last - range->first; ++range)
        place -= range->last - range->first + 1;
    return range->first + place;
}

void Sizes::add(int size) {
    std::vector<Range> ranges = std::move(ranges_);
    ranges.push_back({size, size});
    *this = Sizes(std::move(ranges));
}

void Sizes::keep_within(int first, int last) {
    for (Range &range : ranges_)
        range = {std::max(range.first, first), std::min(range.last, last)};
    ranges_.erase(std::remove_if(ranges_.begin(), ranges_.end(),
                                 [](const Range &range) { return range.first > range.last; }),
                  ranges_.end());
}

std::vector<int> Sizes::one_by_one() const {
    std::vector<int> sizes;
    sizes.reserve(static_cast<std::size_t>(count()));
    for (const Range &range : ranges_)
        for (int size = range.first; size <= range.last; ++size)
            sizes.push_back(size);
    return sizes;
}

bool operator==(const Sizes &left, const Sizes &right) {
    return std::equal(
        left.ranges_.begin(), left.ranges_.end(), right.ranges_.begin(), right.ranges_.end(),
        [](const Range &a, const Range &b) { return a.first == b.first && a.last == b.last; });
}

} // namespace vmall::common
