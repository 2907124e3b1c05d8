// SPDX-License-Identifier: GPL-2.0-or-later
//
// Preemption is Slurm's. This asks it to preempt, for jobs that no fold makes room for.
#pragma once

#include "config/config.hpp"
#include "plugins/sched_fjt/see/view.hpp"
#include "plugins/sched_fjt/start/starter.hpp"
#include "plugins/select_vmall/gate.hpp"
#include "policy/model.hpp"

#include <map>
#include <vector>

namespace vmall::sched {

class Preemption {
  public:
    // Goes by what `config` says at the time.
    Preemption(const select::Gate &gate, const config::Config &config, Starter &starter)
        : gate_(gate), config_(config), starter_(starter) {}

    // Where folding makes no room for a job for as long as a fold that has failed takes to be tried
    // again, Slurm may. It chooses whom to preempt when it is asked for a start, and refuses the
    // start until they have ended.
    void preempt(const View &view, const std::vector<policy::Action> &actions);

  private:
    using Times = std::map<JobNumber, policy::Seconds>;
    Times held_up(const View &view, const std::vector<policy::Action> &actions) const;

    const select::Gate &gate_;
    const config::Config &config_;
    Starter &starter_;
    Times held_up_since_; // View::steady; by others that hold their cores
};

} // namespace vmall::sched
