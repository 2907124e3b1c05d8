// SPDX-License-Identifier: GPL-2.0-or-later
//
// Cores lent and lost, summed up from look to look.
#include "plugins/sched_fjt/account/lending.hpp"

#include "plugins/sched_fjt/see/core_sets.hpp"
#include "policy/cost/work.hpp"

#include <algorithm>

namespace vmall::sched {

int cores_lent(const JobView &job) {
    return std::max(0, job.tasks * job.cores_per_task - static_cast<int>(core_count(job.cores)));
}

double slowdown(const JobView &job, const UsefulShare &useful) {
    const int mpl = mpl_of(job, job.cores);
    if (mpl <= 1)
        return 1;
    const std::optional<int> share = useful.unfolded_percent();
    if (!share) {
        constexpr policy::Seconds work = 1000;
        return static_cast<double>(policy::time_for_work(work, mpl)) / work;
    }
    return std::max(1.0, mpl * *share / 100.0) * useful.cost_percent() / 100.0;
}

void Lending::look(const View &view, const Ledger &ledger) {
    const auto passed =
        static_cast<double>(since_ ? std::max<policy::Seconds>(view.steady - since_, 0) : 0);
    lent_ += passed * cores_lent_;
    lost_ += passed * cores_lost_;
    since_ = view.steady;
    cores_lent_ = cores_lost_ = 0;
    for (const auto &[id, job] : view.active) {
        if (!job.virtually_malleable || job.state != JobState::running)
            continue;
        cores_lent_ += cores_lent(job);
        if (const LedgerEntry *entry = ledger.find(id))
            cores_lost_ += job.tasks * job.cores_per_task * (1 - 1 / slowdown(job, entry->useful));
    }
}

} // namespace vmall::sched
