// SPDX-License-Identifier: GPL-2.0-or-later
//
// What folding costs beyond having fewer cores.
#include "sim/model/folding_cost.hpp"

#include "common/split.hpp"
#include "config/number.hpp"
#include "sim/trace/text.hpp"

#include <algorithm>
#include <stdexcept>

namespace vmall::sim {

namespace {

double parse_factor(std::string_view text) {
    constexpr double highest = 1000;
    const auto factor = decimal_number(text);
    if (!factor || *factor < 1 || *factor > highest) {
        throw std::invalid_argument("folding cost " + config::quoted(text) +
                                    " is not a number from 1 to 1000");
    }
    return *factor;
}

} // namespace

double FoldingCost::at(int mpl) const {
    if (mpl < 1)
        throw std::out_of_range("an MPL of " + std::to_string(mpl));
    const std::size_t last = by_mpl.size() - 1;
    return by_mpl[std::min(static_cast<std::size_t>(mpl) - 1, last)];
}

FoldingCost parse_folding_cost(const std::string &text) {
    if (text.empty() || text.back() == ',') {
        throw std::invalid_argument("folding cost " + config::quoted(text) +
                                    " ends where a number should be");
    }
    FoldingCost cost;
    std::size_t place = 1; // MPL 2
    for (const std::string_view factor : common::split(text, ',')) {
        if (place == cost.by_mpl.size()) {
            throw std::invalid_argument("folding cost " + config::quoted(text) +
                                        " goes beyond MPL " + std::to_string(policy::highest_mpl));
        }
        std::fill(cost.by_mpl.begin() + static_cast<std::ptrdiff_t>(place), cost.by_mpl.end(),
                  parse_factor(factor));
        place++;
    }
    return cost;
}

} // namespace vmall::sim
