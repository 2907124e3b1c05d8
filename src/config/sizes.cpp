// SPDX-License-Identifier: GPL-2.0-or-later
//
// --vm-procs: which process counts a job accepts.
#include "config/job_request.hpp"
#include "config/number.hpp"

#include <algorithm>
#include <string_view>

namespace vmall::config {

namespace {

constexpr std::size_t longest_list = 1024;

// How many more items accept a count than accept the one before it: slurmctld parses under its
// locks, and a list of wide ranges must not cost more than one pass over all counts.
using Changes = std::vector<int>;

void accept(Changes &changes, int first, int last) {
    ++changes[first];
    --changes[last + 1];
}

int count_in(std::string_view text, const std::string &item) {
    if (const auto count = whole_number(text, 1, highest_process_count))
        return static_cast<int>(*count);
    throw RequestError(quoted(item) + " is not a process count: give counts from 1 to " +
                       std::to_string(highest_process_count) +
                       " as N, a range N-M, pow2:N or square:N, separated by commas");
}

void accept_range(Changes &changes, const std::string &item, std::size_t dash) {
    const int first = count_in(std::string_view(item).substr(0, dash), item);
    const int last = count_in(std::string_view(item).substr(dash + 1), item);
    if (first > last)
        throw RequestError("the range " + quoted(item) + " ends before it begins");
    accept(changes, first, last);
}

void accept_item(Changes &changes, const std::string &item) {
    static const std::string pow2 = "pow2:", square = "square:";
    if (item.compare(0, pow2.size(), pow2) == 0) {
        const int highest = count_in(std::string_view(item).substr(pow2.size()), item);
        for (int count = 1; count <= highest; count *= 2)
            accept(changes, count, count);
    } else if (item.compare(0, square.size(), square) == 0) {
        const int highest = count_in(std::string_view(item).substr(square.size()), item);
        for (int root = 1; root * root <= highest; ++root)
            accept(changes, root * root, root * root);
    } else if (const auto dash = item.find('-'); dash != std::string::npos) {
        accept_range(changes, item, dash);
    } else {
        const int count = count_in(item, item);
        accept(changes, count, count);
    }
}

} // namespace

std::vector<int> parse_sizes(const std::string &text) {
    if (text.size() > longest_list)
        throw RequestError("the list of process counts is longer than " +
                           std::to_string(longest_list) + " characters");
    Changes changes(highest_process_count + 2, 0);
    const std::string list = lower_case(text);
    for (std::size_t begin = 0; begin <= list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        accept_item(changes, list.substr(begin, end - begin));
        begin = end + 1;
    }
    std::vector<int> sizes;
    int items = 0; // that accept this count
    for (int count = 1; count <= highest_process_count; ++count)
        if ((items += changes[count]) > 0)
            sizes.push_back(count);
    return sizes;
}

} // namespace vmall::config
