// SPDX-License-Identifier: GPL-2.0-or-later
//
// Time limits count work: Slurm's limits of folded jobs and of their steps follow what folding
// costs, so that nobody is killed for having been folded.
#pragma once

#include "plugins/sched_fjt/account/ledger.hpp"
#include "plugins/sched_fjt/see/view.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace vmall::sched {

class TimeLimits {
  public:
    // Jobs that ran before this controller did, and that the ledger does not know, keep the limits
    // that they have.
    TimeLimits(Ledger &ledger, policy::Seconds controller_started)
        : ledger_(ledger), controller_started_(controller_started) {}

    // What has become of jobs since the last pass: how deep they are folded, limits that others
    // changed, new steps, runs that are over. Answers whether Slurm has to be told something; the
    // ledger is to be saved before, so that a controller that comes after a crash knows whose
    // limits it finds.
    bool look(View &view);
    void tell(); // takes LockToAct

    // JobView::time_limit of jobs that run: in Slurm it is what their work takes.
    void show_work(View &view) const;

  private:
    struct JobLimit {
        JobNumber job;
        std::uint32_t from; // minutes
        std::uint32_t to;   // seconds
    };
    struct StepLimit {
        JobNumber job;
        StepId step;
        std::uint32_t to; // minutes
    };

    void look_at(policy::Seconds now, const JobView &job);
    void look_at_steps(policy::Seconds ran, const JobView &job, LedgerEntry &entry);
    void look_at_ended(View &view);

    Ledger &ledger_;
    const policy::Seconds controller_started_;
    std::vector<JobLimit> jobs_; // to be told
    std::vector<StepLimit> steps_;
};

// Of a running job at this moment, its MPL aside.
RunTime run_time_of(policy::Seconds now, const JobView &job, const LedgerEntry &entry);

// The entry's limit once the job is at this MPL. Empty: it has none.
std::optional<WorkLimit> limit_at(int mpl, policy::Seconds now, const JobView &job,
                                  const LedgerEntry &entry);

} // namespace vmall::sched
