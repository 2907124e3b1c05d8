// SPDX-License-Identifier: GPL-2.0-or-later
//
// Does what the policy has decided, as far as Slurm and the nodes allow. Each deed takes
// slurmctld's locks for itself.
#pragma once

#include "config/config.hpp"
#include "plugins/sched_fjt/account/counters.hpp"
#include "plugins/sched_fjt/account/ledger.hpp"
#include "plugins/sched_fjt/decide/snapshot.hpp"
#include "plugins/sched_fjt/locks.hpp"
#include "plugins/sched_fjt/resize/resizer.hpp"
#include "plugins/sched_fjt/see/view.hpp"
#include "plugins/sched_fjt/start/starter.hpp"
#include "plugins/select_vmall/gate.hpp"
#include "policy/model.hpp"

#include <vector>

namespace vmall::sched {

class Actor {
  public:
    // Goes by what `config` says at the time.
    Actor(const select::Gate &gate, const config::Config &config, Ledger &ledger, Starter &starter,
          Resizer &resizer, Counters &counters)
        : gate_(gate), config_(config), ledger_(ledger), starter_(starter), resizer_(resizer),
          counters_(counters) {}

    // True if slurmctld's state has changed, a start was refused or the time is up, so that
    // deciding again may find more to do. What is learnt from refusals is added to them.
    bool act(const View &view, const std::vector<policy::Action> &actions, Refusals &refusals,
             const TimeLimit &limit);

  private:
    bool folds_in_vain(const View &view, const std::vector<policy::Action> &actions,
                       Refusals &refusals);
    void requeue(const View &view, const policy::Requeue &requeue);
    bool resize(const View &view, const policy::Resize &resize);

    const select::Gate &gate_;
    const config::Config &config_;
    Ledger &ledger_;
    Starter &starter_;
    Resizer &resizer_;
    Counters &counters_;
};

} // namespace vmall::sched
