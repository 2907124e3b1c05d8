// SPDX-License-Identifier: GPL-2.0-or-later
//
// How far the jobs of each user ran past what he had said.
#include "policy/overruns.hpp"

#include <algorithm>

namespace vmall::policy {

namespace {

constexpr std::size_t jobs_that_count = 31;
constexpr Seconds month = 30 * 24 * 3600;
// A folded job takes longer than by its MPL, which is not its user's fault.
constexpr Seconds worth_noting = 2;

constexpr Seconds longest = 10 * 365 * 24 * Seconds{3600}; // products of two of these fit

bool is_outdated(const Overrun &overrun, Seconds now) {
    return overrun.seen < now - month;
}

} // namespace

void Overruns::note(const Overrun &overrun) {
    if (overrun.estimate <= 0 || overrun.work / worth_noting <= overrun.estimate)
        return;
    Overrun kept = overrun;
    kept.work = std::min(kept.work, longest);
    std::vector<Overrun> &jobs = by_user_[overrun.user];
    const auto known = std::find_if(jobs.begin(), jobs.end(),
                                    [&](const Overrun &one) { return one.job == overrun.job; });
    if (known != jobs.end()) {
        if (kept.work > known->work + known->work / 10)
            *known = kept;
        return;
    }
    if (jobs.size() == jobs_that_count)
        jobs.erase(jobs.begin());
    jobs.push_back(kept);
}

void Overruns::forget(Seconds now) {
    for (auto user = by_user_.begin(); user != by_user_.end();) {
        auto &jobs = user->second;
        jobs.erase(std::remove_if(jobs.begin(), jobs.end(),
                                  [&](const Overrun &one) { return is_outdated(one, now); }),
                   jobs.end());
        user = jobs.empty() ? by_user_.erase(user) : std::next(user);
    }
}

Seconds Overruns::likely_work(UserId user, Seconds estimate, Seconds now) const {
    const auto found = by_user_.find(user);
    if (found == by_user_.end() || estimate <= 0 || estimate >= longest)
        return estimate;
    Seconds stretched = estimate, longest_work = 0;
    for (const Overrun &one : found->second) {
        if (is_outdated(one, now))
            continue;
        stretched = std::max(stretched, estimate * one.work / one.estimate);
        longest_work = std::max(longest_work, one.work);
    }
    return std::max(estimate, std::min(stretched, longest_work));
}

std::vector<Overrun> Overruns::noted() const {
    std::vector<Overrun> result;
    for (const auto &[user, jobs] : by_user_)
        result.insert(result.end(), jobs.begin(), jobs.end());
    return result;
}

} // namespace vmall::policy
