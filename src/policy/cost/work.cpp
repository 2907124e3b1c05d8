// SPDX-License-Identifier: GPL-2.0-or-later
//
// In whole numbers, so that every machine counts the same.
#include "policy/cost/work.hpp"

#include "policy/time.hpp"

#include <algorithm>

namespace vmall::policy {

namespace {

constexpr Seconds unfolded = 10; // tenths of how long work takes

Seconds tenths(int mpl) {
    return mpl > 1 ? 11 * static_cast<Seconds>(mpl) : unfolded;
}

} // namespace

Seconds time_for_work(Seconds work, int mpl) {
    if (mpl <= 1 || work <= 0)
        return std::max<Seconds>(work, 0);
    if (work > never / tenths(mpl))
        return never;
    return (work * tenths(mpl) + unfolded - 1) / unfolded;
}

Seconds work_in_time(Seconds time, int mpl) {
    if (mpl <= 1 || time <= 0)
        return std::max<Seconds>(time, 0);
    if (time > never / unfolded)
        return time / tenths(mpl) * unfolded;
    return time * unfolded / tenths(mpl);
}

Seconds lost_in_time(Seconds time, int mpl) {
    return std::max<Seconds>(time, 0) - work_in_time(time, mpl);
}

int deepest_mpl(Seconds work, Seconds time) {
    int mpl = highest_mpl;
    while (mpl > 1 && time_for_work(work, mpl) > time)
        mpl--;
    return mpl;
}

bool is_worth_folding(int percent) {
    return percent <= 200;
}

} // namespace vmall::policy
