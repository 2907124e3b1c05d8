// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which numbers of processes a program accepts.
#include "sim/trace/size_rule.hpp"

#include "config/job_request.hpp"
#include "config/number.hpp"

#include <stdexcept>
#include <vector>

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

common::Sizes halved(int asked, int most) {
    common::Sizes sizes = {asked};
    for (int size = asked; most > 0 && size % 2 == 0; --most)
        sizes.add(size /= 2);
    return sizes;
}

common::Sizes powers(int asked) {
    std::vector<int> sizes;
    for (long long size = 1; size <= asked; size *= 2)
        sizes.push_back(static_cast<int>(size));
    return common::Sizes(sizes);
}

common::Sizes squares(int asked) {
    std::vector<int> sizes;
    for (long long root = 1; root * root <= asked; ++root)
        sizes.push_back(static_cast<int>(root * root));
    return common::Sizes(sizes);
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

common::Sizes SizeRule::up_to(int asked) const {
    if (!list_.empty()) {
        common::Sizes sizes = list_;
        sizes.keep_within(1, asked);
        return sizes;
    }
    if (most_halvings_ != 0)
        return halved(asked, most_halvings_);
    if (text_ == "any")
        return common::Sizes::from_to(1, asked);
    if (text_ == "pow2")
        return powers(asked);
    return text_ == "square" ? squares(asked) : common::Sizes{asked};
}

} // namespace vmall::sim
