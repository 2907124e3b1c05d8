// SPDX-License-Identifier: GPL-2.0-or-later
//
// Folds and unfolds running jobs: the controller's side of doc/protocol.md.
//
// Shrinking: nodes first, and only when all have confirmed are the cores given up. Growing: the
// controller takes the cores first, then tells the nodes. A node that does not answer costs nothing
// but the resize.
#pragma once

#include "config/config.hpp"
#include "plugins/sched_fjt/account/counters.hpp"
#include "plugins/sched_fjt/account/ledger.hpp"
#include "plugins/sched_fjt/resize/messenger.hpp"
#include "plugins/sched_fjt/resize/surveyor.hpp"
#include "plugins/sched_fjt/resize/target_sender.hpp"
#include "plugins/sched_fjt/see/view.hpp"
#include "policy/model.hpp"

namespace vmall::sched {

class Resizer {
  public:
    Resizer(Ledger &ledger, Messenger &messenger, Counters &counters)
        : ledger_(ledger), messenger_(messenger), counters_(counters) {}

    void configure(const config::Config &config);

    // Asks the nodes of the job to confine it to as many of its cores as the target says.
    void fold(const View &view, const JobView &job, const policy::CoreCounts &target,
              const Purpose &purpose = {});

    // Gives the job free cores. Under LockToAct; false if fewer were free than the target says.
    bool unfold(const JobView &job, const policy::CoreCounts &target,
                common::Cause why = common::Cause::free_cores);

    // Tells the nodes what the job has now; they may know already.
    void announce(const View &view, const JobView &job);

    // Carries out what nodes have confirmed. Takes LockToAct when there is something.
    void conclude();

    // Announces again where a node has not confirmed and enough time has passed.
    void retry(const View &view);

    // How ranks spend their time (Surveyor).
    void survey(const View &view) { surveyor_.survey(view); }

  private:
    void send(const View &view, const JobView &job, const CoreSets &cores,
              bool only_served = false);
    void conclude_one(const Confirmation &confirmation);
    void give_up(const Confirmation &confirmation);
    TargetEvent event_for(const Confirmation &confirmation, const View &view, const JobView &job,
                          const LedgerEntry &entry);
    void carry_out(TargetEvent event, const View &view, const JobView &job, LedgerEntry &entry);
    void leave_alone_if_unattached(const Confirmation &confirmation, policy::Seconds steady,
                                   LedgerEntry &entry);
    void release(const View &view, const JobView &job, LedgerEntry &entry);
    void tell(wire::Event event, const View &view, const JobView &job, const CoreSets &cores,
              const Purpose &purpose);
    void count_failure(const NodeReply &reply);
    void count_refusal(const char *action, JobNumber job, int error);
    void back_off(Deed deed, const View &view, const JobView &job, LedgerEntry &entry);
    void rest(const View &view, LedgerEntry &entry) const;

    Ledger &ledger_;
    Messenger &messenger_;
    Counters &counters_;
    TargetSender sender_{messenger_};
    Surveyor surveyor_{ledger_, messenger_, sender_};
    config::Config config_;
    cores::Rules rules_;
};

} // namespace vmall::sched
