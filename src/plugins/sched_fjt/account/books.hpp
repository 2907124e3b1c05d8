// SPDX-License-Identifier: GPL-2.0-or-later
//
// What virtually malleable jobs have held: the ledger's core-seconds, the note in AdminComment, and
// slurmdbd's records, which resizes begin.
#pragma once

#include "config/config.hpp"
#include "plugins/sched_fjt/account/counters.hpp"
#include "plugins/sched_fjt/account/ledger.hpp"
#include "plugins/sched_fjt/account/record_keeper.hpp"
#include "plugins/sched_fjt/see/view.hpp"

#include <functional>
#include <map>

namespace vmall::sched {

class Books {
  public:
    // `recorded` is called from a thread when slurmdbd may have numbered records.
    Books(Ledger &ledger, Counters &counters, std::function<void()> recorded)
        : ledger_(ledger), counters_(counters), record_keeper_(std::move(recorded)) {}

    // Jobs that are not active any more have held what the ledger says until they ended.
    void close(policy::Seconds now, const std::map<JobNumber, LedgerEntry> &ended);

    // After a pass. Takes slurmctld's lock if a comment is to change.
    void keep(const View &view, const config::Config &config);

  private:
    Ledger &ledger_;
    Counters &counters_;
    RecordKeeper record_keeper_;
};

} // namespace vmall::sched
