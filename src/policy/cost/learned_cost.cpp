// SPDX-License-Identifier: GPL-2.0-or-later
//
// What folding costs the programs of a site.
#include "policy/cost/learned_cost.hpp"

#include <algorithm>

namespace vmall::policy {

namespace {

constexpr std::size_t jobs_that_count = 31;
constexpr int highest_cost = 1000;

} // namespace

void LearnedCost::note(JobId job, int percent) {
    const int shown = std::clamp(percent, 100, highest_cost);
    const auto known = std::find_if(shown_.begin(), shown_.end(),
                                    [&](const auto &one) { return one.first == job; });
    if (known != shown_.end()) {
        known->second = shown;
        return;
    }
    if (shown_.size() == jobs_that_count)
        shown_.erase(shown_.begin());
    shown_.emplace_back(job, shown);
}

int LearnedCost::percent() const {
    std::vector<int> costs(jobs_that_count, usual_folding_cost);
    std::transform(shown_.begin(), shown_.end(), costs.begin(),
                   [](const auto &one) { return one.second; });
    const auto middle = costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 2);
    std::nth_element(costs.begin(), middle, costs.end());
    return *middle;
}

} // namespace vmall::policy
