// SPDX-License-Identifier: GPL-2.0-or-later
//
// --vm-procs: which process counts a job accepts.
#include "common/split.hpp"
#include "config/job_request.hpp"
#include "config/number.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace vmall::config {

namespace {

constexpr std::size_t longest_list = 1024;

using Range = common::Sizes::Range;

int count_in(std::string_view text, const std::string &item) {
    if (const auto count = whole_number(text, 1, highest_process_count))
        return static_cast<int>(*count);
    throw RequestError(quoted(item) + " is not a process count: give counts from 1 to " +
                       std::to_string(highest_process_count) +
                       " as N, a range N-M, pow2:N or square:N, separated by commas");
}

Range range_in(const std::string &item, std::size_t dash) {
    const int first = count_in(std::string_view(item).substr(0, dash), item);
    const int last = count_in(std::string_view(item).substr(dash + 1), item);
    if (first > last)
        throw RequestError("the range " + quoted(item) + " ends before it begins");
    return {first, last};
}

// Those of pow2:N and square:N are among those of any larger N. Kept apart, for a list that repeats
// them must not cost more.
struct Accepted {
    std::vector<Range> ranges;
    int highest_power = 0;
    int highest_square = 0;
};

void accept_item(Accepted &accepted, const std::string &item) {
    static const std::string pow2 = "pow2:", square = "square:";
    if (item.compare(0, pow2.size(), pow2) == 0) {
        const int highest = count_in(std::string_view(item).substr(pow2.size()), item);
        accepted.highest_power = std::max(accepted.highest_power, highest);
    } else if (item.compare(0, square.size(), square) == 0) {
        const int highest = count_in(std::string_view(item).substr(square.size()), item);
        accepted.highest_square = std::max(accepted.highest_square, highest);
    } else if (const auto dash = item.find('-'); dash != std::string::npos) {
        accepted.ranges.push_back(range_in(item, dash));
    } else {
        const int count = count_in(item, item);
        accepted.ranges.push_back({count, count});
    }
}

common::Sizes sizes_of(Accepted accepted) {
    auto &ranges = accepted.ranges;
    for (int count = 1; count <= accepted.highest_power; count *= 2)
        ranges.push_back({count, count});
    for (int root = 1; root * root <= accepted.highest_square; ++root)
        ranges.push_back({root * root, root * root});
    return common::Sizes(std::move(ranges));
}

} // namespace

common::Sizes parse_sizes(const std::string &text) {
    if (text.size() > longest_list)
        throw RequestError("the list of process counts is longer than " +
                           std::to_string(longest_list) + " characters");
    Accepted accepted;
    const std::string list = lower_case(text);
    for (const std::string_view item : common::split(list, ','))
        accept_item(accepted, std::string(item));
    return sizes_of(std::move(accepted));
}

} // namespace vmall::config
