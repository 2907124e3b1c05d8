// SPDX-License-Identifier: GPL-2.0-or-later
//
// In whole numbers, so that every machine counts the same.
#include "policy/cost/resize_loss.hpp"

#include "policy/time.hpp"

#include <algorithm>

namespace vmall::policy {

namespace {

// Of a fold and the unfold after it; doc/policy.md says what was measured.
constexpr std::int64_t cost_of_fold = 500;
constexpr std::int64_t fills_in = 600'000;

std::int64_t earned_in(std::int64_t time, int percent) {
    return time * percent / 100;
}

} // namespace

// A time that is still to come was noted before the clock was set back. What was saved may be
// anything.
std::int64_t ResizeLoss::owed_at(std::int64_t ran, int percent) const {
    if (since < 0 || ran < since)
        return 0;
    const auto known = std::clamp<std::int64_t>(owed, 0, fills_in);
    return std::max<std::int64_t>(known - earned_in(ran - since, percent), 0);
}

void ResizeLoss::note_fold(std::int64_t ran, int percent) {
    owed = owed_at(ran, percent) + cost_of_fold;
    since = ran;
}

std::int64_t ResizeLoss::until_next_fold(std::int64_t ran, int percent) const {
    if (percent >= no_resize_limit)
        return 0;
    if (percent <= 0)
        return never;
    const auto missing = owed_at(ran, percent) + cost_of_fold - earned_in(fills_in, percent);
    return missing <= 0 ? 0 : (missing * 100 + percent - 1) / percent;
}

} // namespace vmall::policy
