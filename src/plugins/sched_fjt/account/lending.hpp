// SPDX-License-Identifier: GPL-2.0-or-later
//
// What folding gains and costs in all: cores that folded jobs leave to others, and what these jobs
// would have done with all of their cores meanwhile.
#pragma once

#include "plugins/sched_fjt/account/ledger.hpp"
#include "plugins/sched_fjt/see/view.hpp"

namespace vmall::sched {

class Lending {
  public:
    // How it is from now on.
    void look(const View &view, const Ledger &ledger);

    // Core-seconds until the last look, since the first one.
    double lent() const { return lent_; }
    double lost() const { return lost_; }

  private:
    policy::Seconds since_ = 0; // View::steady of the last look
    double cores_lent_ = 0;
    double cores_lost_ = 0;
    double lent_ = 0;
    double lost_ = 0;
};

// Of a running job: cores that it has less than unfolded.
int cores_lent(const JobView &job);

// How many times as long its work takes now as unfolded: by what its ranks were seen to use, else
// as time limits count it.
double slowdown(const JobView &job, const UsefulShare &useful);

} // namespace vmall::sched
