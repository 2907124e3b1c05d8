// SPDX-License-Identifier: GPL-2.0-or-later
//
// Does what the policy has decided, as far as Slurm and the nodes allow. Each deed takes
// slurmctld's locks for itself.
#pragma once

#include "config/config.hpp"
#include "plugins/sched_fjt/account/ledger.hpp"
#include "plugins/sched_fjt/answer/counters.hpp"
#include "plugins/sched_fjt/locks.hpp"
#include "plugins/sched_fjt/resize/resizer.hpp"
#include "plugins/sched_fjt/see/snapshot.hpp"
#include "plugins/sched_fjt/see/view.hpp"
#include "plugins/select_vmall/gate.hpp"
#include "policy/model.hpp"

#include <map>
#include <vector>

namespace vmall::sched {

class Actor {
  public:
    // Goes by what `config` says at the time.
    Actor(const select::Gate &gate, const config::Config &config, Ledger &ledger, Resizer &resizer,
          Counters &counters);

    // What waiting jobs ask Slurm for, to what the smallest of their sizes needs: Slurm's own
    // schedulers plan with that.
    void raise_requests(const View &view);

    // True if slurmctld's state has changed, a start was refused or the time is up, so that
    // deciding again may find more to do. What is learnt from refusals is added to them.
    bool act(const View &view, const std::vector<policy::Action> &actions, Refusals &refusals,
             const TimeLimit &limit);

    // Where folding makes no room for a job for as long as a fold that has failed takes to be tried
    // again, Slurm may. It chooses whom to preempt when it is asked for a start, and refuses the
    // start until they have ended.
    void preempt(const View &view, const std::vector<policy::Action> &actions);

    // For squeue's reason column.
    void tell_why(const View &view, const std::vector<policy::Action> &actions);

  private:
    using Times = std::map<JobNumber, policy::Seconds>;
    enum class Outcome { nothing, started, refused };
    Outcome start(const View &view, const policy::Start &start, Refusals &refusals);
    int try_to_start(const View &view, const JobView &job, const policy::Start &start);
    bool would_preempt(const View &view, const JobView &job, const policy::Start &start) const;
    void after_start(const policy::Start &start, JobNumber started);
    bool folds_in_vain(const View &view, const std::vector<policy::Action> &actions,
                       Refusals &refusals);
    Times held_up(const View &view, const std::vector<policy::Action> &actions) const;
    void requeue(const View &view, const policy::Requeue &requeue);
    bool resize(const View &view, const policy::Resize &resize);

    const select::Gate &gate_;
    const config::Config &config_;
    Ledger &ledger_;
    Resizer &resizer_;
    Counters &counters_;
    Times held_up_since_; // by others that hold their cores
};

} // namespace vmall::sched
