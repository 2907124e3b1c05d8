// SPDX-License-Identifier: GPL-2.0-or-later
//
// A policy counts cores; Slurm also knows memory, GRES, reservations, other users' nodes. These ask
// it what would start, before anything is done for it. Under LockToAct, with
// select/cons_tres_vmall's gate open.
#pragma once

#include "plugins/sched_fjt/account/ledger.hpp"
#include "plugins/sched_fjt/see/view.hpp"
#include "policy/model.hpp"

#include <optional>
#include <vector>

namespace vmall::sched {

// A waiting job on as few cores as it can start on, with so many processes in each place.
policy::Start smallest_start(const JobView &job, int mpl);

// The largest accepted process count below that of a start which Slurm has refused with which it
// would start the job now.
std::optional<int> largest_startable(const View &view, const JobView &job,
                                     const policy::Start &refused);

// When Slurm believes that a waiting job can start, if it has an idea.
std::optional<policy::Seconds> expected_start(const View &view, const JobView &job);

// Whether a waiting job would start, in its smallest size, if running jobs gave back what they are
// folded to by `actions`, and by resizes that are under way. A fold gives back cores, no memory.
bool starts_after_folds(const View &view, const Ledger &ledger, const JobView &job,
                        const std::vector<policy::Action> &actions, int max_mpl);

} // namespace vmall::sched
