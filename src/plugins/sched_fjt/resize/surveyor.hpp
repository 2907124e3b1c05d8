// SPDX-License-Identifier: GPL-2.0-or-later
//
// Surveys: what the nodes of a job say of how its ranks spend their time, asked for again and again
// by the target that they have already.
#pragma once

#include "config/config.hpp"
#include "plugins/sched_fjt/account/ledger.hpp"
#include "plugins/sched_fjt/resize/messenger.hpp"
#include "plugins/sched_fjt/resize/target_sender.hpp"
#include "plugins/sched_fjt/see/view.hpp"
#include "policy/model.hpp"

namespace vmall::sched {

// What a running job has while its ranks do what is reported.
Held held_by(const JobView &job);

class Surveyor {
  public:
    Surveyor(Ledger &ledger, Messenger &messenger, TargetSender &sender)
        : ledger_(ledger), messenger_(messenger), sender_(sender) {}

    void configure(const config::Config &config);

    // Asks the nodes of jobs whose turn it is: in each pass a few nodes only, and each of a few
    // jobs.
    void survey(const View &view);

    // What has come of that.
    void take();

  private:
    void note(const Confirmation &reports);
    void ask(const View &view, const JobView &job);

    Ledger &ledger_;
    Messenger &messenger_;
    TargetSender &sender_;
    policy::Seconds interval_ = 0; // 0: never
};

} // namespace vmall::sched
