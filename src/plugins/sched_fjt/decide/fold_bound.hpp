// SPDX-License-Identifier: GPL-2.0-or-later
//
// How deep a job may be folded, and what says so.
#pragma once

#include "common/restraint.hpp"
#include "config/config.hpp"
#include "plugins/sched_fjt/account/ledger.hpp"
#include "plugins/sched_fjt/see/view.hpp"
#include "policy/room/memory_per_core.hpp"

#include <optional>

namespace vmall::sched {

struct FoldBound {
    int mpl = policy::highest_mpl;
    std::optional<common::Restraint> by = {}; // none: nothing about this job
};

// Of a virtually malleable job that starts now.
int max_mpl(const JobView &job, policy::Seconds now, const config::Config &config);

// Of one that runs. What may not be folded any deeper stays as it is or grows; what is folded too
// deep for its time, or unserved, has to grow.
FoldBound fold_bound(const JobView &job, policy::Seconds now, const LedgerEntry &entry,
                     const config::Config &config);

// On the nodes of this cluster, at such a cost (policy::Snapshot).
bool folding_is_dear(const View &view, int cost);

// What may make folds vain, whichever job it is.
struct Surroundings {
    bool folding_is_dear = false;
    policy::MemoryPerCore memory;
};

// What keeps such a job from being folded deeper than it is now. None: nothing does, if a policy
// wants to.
std::optional<common::Restraint> restraint_of(const View &view, const JobView &job,
                                              const LedgerEntry &entry,
                                              const config::Config &config,
                                              const Surroundings &surroundings);

// Of its run time, in seconds, what it has lost to folding.
policy::Seconds time_lost(const JobView &job, policy::Seconds now, const LedgerEntry &entry);

// Of its run time, in percent, what resizes may cost a job.
int max_resize_loss(const JobView &job, const config::Config &config);

// Seconds until what resizes may cost a running job allows a fold: 0, or `never` if it never will.
policy::Seconds until_next_fold(const JobView &job, policy::Seconds now, const LedgerEntry &entry,
                                const config::Config &config);

} // namespace vmall::sched
