// SPDX-License-Identifier: GPL-2.0-or-later
//
// What folding costs the programs of a site beyond that they have fewer cores, as they have shown.
#pragma once

#include "policy/model.hpp"

#include <vector>

namespace vmall::policy {

class LearnedCost {
  public:
    // A job while it was folded: the time that it took, in percent of what its MPL says; at least
    // 100. What it showed before is forgotten.
    void note(JobId job, int percent, Seconds now);

    // What was shown more than 30 days ago: programs change, and where folding is dear nobody shows
    // anything.
    void forget(Seconds now);

    // The median of the 31 jobs that were the last to show something for the first time, those that
    // are missing at `usual_folding_cost`: one program says little, and one user's word less.
    int percent() const;

    struct Showing {
        JobId job;
        int percent;
        Seconds seen;
    };
    const std::vector<Showing> &shown() const { return shown_; } // the first to do so first

  private:
    std::vector<Showing> shown_;
};

} // namespace vmall::policy
