// SPDX-License-Identifier: GPL-2.0-or-later
//
// From what slurmctld has to what a policy sees.
#pragma once

#include "config/config.hpp"
#include "plugins/sched_fjt/account/ledger.hpp"
#include "plugins/sched_fjt/see/node_kinds.hpp"
#include "plugins/sched_fjt/see/view.hpp"
#include "policy/model.hpp"

#include <map>
#include <optional>
#include <vector>

namespace vmall::sched {

// Slurm refused to start a job.
struct Refusal {
    // View::steady, if the start would have been out of order.
    std::optional<policy::Seconds> backfilled_at;
    std::optional<policy::Seconds> expected; // when Slurm believes that it can
    std::optional<int> startable;            // the most processes it would start now, if any
};
using Refusals = std::map<JobNumber, Refusal>;

// What conservative backfilling reserved for waiting jobs.
using Promises = std::map<JobNumber, policy::Promise>;

policy::Snapshot snapshot(const View &view, const Ledger &ledger, const config::Config &config,
                          const Refusals &refusals, const Promises &promises);

// Of a decision, for the next snapshot.
Promises promises(const std::vector<policy::Action> &actions);

// Tasks that a waiting job needs at least to run unfolded on the nodes there are; Slurm's own
// schedulers plan with the tasks of its request.
int fewest_tasks(const JobView &job, NodeKinds &kinds);

} // namespace vmall::sched
