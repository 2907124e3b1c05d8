// SPDX-License-Identifier: GPL-2.0-or-later
//
// Limits and lost time by a job's own time.
#include "plugins/sched_fjt/account/work_limit.hpp"

#include "policy/cost/work.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace vmall::sched {

namespace {

constexpr Milliseconds second = 1000;
constexpr policy::Seconds minute = 60;
constexpr policy::Seconds longest = UINT32_MAX - minute; // that Slurm can count

// Whole seconds become no longer by what was rounded on the way.
policy::Seconds rounded(Milliseconds time) {
    return (time + second / 2) / second;
}

} // namespace

void LostTime::change(policy::Seconds ran, int mpl) {
    before_ = until(ran);
    folded_ = folded_until(ran);
    since_ = std::max(since_, ran);
    mpl_ = mpl;
}

Milliseconds LostTime::until(policy::Seconds ran) const {
    return before_ + policy::lost_in_time((ran - since_) * second, mpl_);
}

policy::Seconds LostTime::folded_until(policy::Seconds ran) const {
    return folded_ + (mpl_ > 1 ? std::max<policy::Seconds>(ran - since_, 0) : 0);
}

bool WorkLimit::see(Minutes in_slurm, const RunTime &time) {
    // After a crash of slurmctld, its records may be of before the last change of these.
    const bool ours = std::exchange(restored_, false) && (in_slurm == asked_ || time.mpl != mpl_);
    if (!is_known()) {
        asked_ = granted_ = in_slurm;
        work_ = in_slurm * minute * second;
    } else if (in_slurm != granted_ && !ours) {
        stand(in_slurm, {time.ran, time.lost, mpl_});
    }
    return in_slurm != granted_ || time.mpl != mpl_;
}

void WorkLimit::stand(Minutes in_slurm, const RunTime &time) {
    const policy::Seconds left = in_slurm * minute - time.ran;
    asked_ = granted_ = in_slurm;
    mpl_ = time.mpl;
    work_ = time.ran * second - time.lost + policy::work_in_time(left * second, mpl_);
}

policy::Seconds WorkLimit::extend(const RunTime &time) {
    const policy::Seconds limit =
        std::min(time.ran + rounded(policy::time_for_work(work_left(time), time.mpl)), longest);
    mpl_ = time.mpl;
    granted_ = std::max<Minutes>((limit + minute - 1) / minute, 1);
    return limit;
}

policy::Seconds WorkLimit::work() const {
    return rounded(work_);
}

Milliseconds WorkLimit::work_left(const RunTime &time) const {
    return std::max<Milliseconds>(work_ - (time.ran * second - time.lost), 0);
}

} // namespace vmall::sched
