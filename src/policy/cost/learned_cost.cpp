// SPDX-License-Identifier: GPL-2.0-or-later
//
// What folding costs the programs of a site.
#include "policy/cost/learned_cost.hpp"

#include <algorithm>

namespace vmall::policy {

namespace {

constexpr std::size_t jobs_that_count = 31;
constexpr int highest_cost = 1000;
constexpr Seconds month = 30 * 24 * 3600;

} // namespace

void LearnedCost::note(JobId job, int percent, Seconds now) {
    const int shown = std::clamp(percent, 100, highest_cost);
    const auto known =
        std::find_if(shown_.begin(), shown_.end(), [&](const auto &one) { return one.job == job; });
    if (known != shown_.end()) {
        known->percent = shown;
        known->seen = now;
        return;
    }
    if (shown_.size() == jobs_that_count)
        shown_.erase(shown_.begin());
    shown_.push_back({job, shown, now});
}

void LearnedCost::forget(Seconds now) {
    shown_.erase(std::remove_if(
                     shown_.begin(), shown_.end(),
                     [&](const Showing &one) { return one.seen < now - month; }),
                 shown_.end());
}

int LearnedCost::percent() const {
    std::vector<int> costs(jobs_that_count, usual_folding_cost);
    std::transform(shown_.begin(), shown_.end(), costs.begin(),
                   [](const auto &one) { return one.percent; });
    const auto middle = costs.begin() + static_cast<std::ptrdiff_t>(costs.size() / 2);
    std::nth_element(costs.begin(), middle, costs.end());
    return *middle;
}

} // namespace vmall::policy
