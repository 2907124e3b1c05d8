// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which numbers of processes a program accepts.
#include "sim/trace/size_rule.hpp"

#include "config/job_request.hpp"
#include "config/number.hpp"

#include <algorithm>
#include <stdexcept>

namespace vmall::sim {

namespace {

const std::string halves = "halves";
constexpr int highest_halvings = 30;

// 0 for a rule that is not about halves.
int halvings(const std::string &text) {
    if (text == halves)
        return highest_halvings;
    if (text.compare(0, halves.size() + 1, halves + ":") != 0)
        return 0;
    const auto times = config::whole_number(text.substr(halves.size() + 1), 1, highest_halvings);
    if (!times)
        throw std::invalid_argument(config::quoted(text) + ": halves:N takes N from 1 to " +
                                    std::to_string(highest_halvings));
    return static_cast<int>(*times);
}

std::vector<int> halved(int asked, int most) {
    std::vector<int> sizes = {asked};
    for (int i = 0; i < most && sizes.back() % 2 == 0; ++i)
        sizes.push_back(sizes.back() / 2);
    std::reverse(sizes.begin(), sizes.end());
    return sizes;
}

} // namespace

SizeRule::SizeRule(const std::string &text) : text_(config::lower_case(text)) {
    most_halvings_ = halvings(text_);
    if (most_halvings_ != 0 || text_ == "rigid" || text_ == "any" || text_ == "pow2" ||
        text_ == "square")
        return;
    try {
        list_ = config::parse_sizes(text_);
    } catch (const config::RequestError &error) {
        throw std::invalid_argument(config::quoted(text) +
                                    " says no sizes: rigid, any, pow2, square, halves, halves:N or "
                                    "a list of process counts are accepted");
    }
}

std::vector<int> SizeRule::up_to(int asked) const {
    std::vector<int> sizes;
    if (!list_.empty())
        sizes.assign(list_.begin(), std::upper_bound(list_.begin(), list_.end(), asked));
    else if (most_halvings_ != 0)
        sizes = halved(asked, most_halvings_);
    else if (text_ == "any")
        for (int size = 1; size <= asked; ++size)
            sizes.push_back(size);
    else if (text_ == "pow2")
        for (long long size = 1; size <= asked; size *= 2)
            sizes.push_back(static_cast<int>(size));
    else if (text_ == "square")
        for (long long root = 1; root * root <= asked; ++root)
            sizes.push_back(static_cast<int>(root * root));
    else
        sizes = {asked};
    return sizes;
}

} // namespace vmall::sim
