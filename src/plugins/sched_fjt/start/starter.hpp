// SPDX-License-Identifier: GPL-2.0-or-later
//
// Starts waiting jobs, as far as Slurm allows it.
#pragma once

#include "config/config.hpp"
#include "plugins/sched_fjt/account/counters.hpp"
#include "plugins/sched_fjt/account/ledger.hpp"
#include "plugins/sched_fjt/decide/snapshot.hpp"
#include "plugins/sched_fjt/resize/resizer.hpp"
#include "plugins/sched_fjt/see/view.hpp"
#include "plugins/select_vmall/gate.hpp"
#include "policy/model.hpp"

namespace vmall::sched {

class Starter {
  public:
    // Goes by what `config` says at the time.
    Starter(const select::Gate &gate, const config::Config &config, Ledger &ledger,
            Resizer &resizer, Counters &counters)
        : gate_(gate), config_(config), ledger_(ledger), resizer_(resizer), counters_(counters) {}

    // What the policy has decided, if nobody is preempted for it. Under LockToAct. What is learnt
    // from a refusal is added to them.
    enum class Outcome { nothing, started, refused };
    Outcome start(const View &view, const policy::Start &start, Refusals &refusals);

    // Asks Slurm to start a waiting job, which may then preempt others. Slurm's error, 0 for none.
    // Under LockToAct, with the gate open.
    int ask(const View &view, const JobView &job, const policy::Start &start, common::Cause why);

  private:
    int ask_without_preemption(const View &view, const JobView &job, const policy::Start &start,
                               common::Cause why);
    bool would_preempt(const View &view, const JobView &job, const policy::Start &start) const;
    void after_start(const policy::Start &start, JobNumber started, common::Cause why);

    const select::Gate &gate_;
    const config::Config &config_;
    Ledger &ledger_;
    Resizer &resizer_;
    Counters &counters_;
};

} // namespace vmall::sched
