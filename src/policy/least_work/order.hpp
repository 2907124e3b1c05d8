// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whose turn it is to be dealt cores: doc/policy.md.
#pragma once

#include "policy/least_work/claim.hpp"

namespace vmall::policy::least_work {

// Work that is left of a likely time (none: 0 or never) when so much is done. Once that has passed,
// as much as was done; without one, always the same.
Seconds work_left(Seconds likely_work, Seconds done);

// False: it has no limit, or its user has not said.
bool says_how_long(Seconds estimate);

// The lowest comes first.
class Ranking {
  public:
    Ranking(Seconds now, const std::vector<Node> &nodes);

    // The time that is left, times √cores unfolded, of these no more than the largest node has: a
    // job that needs several nodes is hard enough to place. The longer a job waits beside the time
    // that it has left to run, the lower: who has waited for as long, an eighth. So nobody waits
    // for ever, and wide jobs not much longer than others. Without an estimate nobody knows whether
    // that is long: then age does not count, or all would stand as they came.
    double of(const WaitingJob &job, Seconds left, int cores) const;
    double of(const WaitingJob &job) const; // with its largest size

    // A quarter of that, by the age that it started with: nobody is folded for a job that has
    // nearly as much left, where both would only end later. On several nodes a sixteenth: what it
    // frees on a node where nobody starts lies idle. Without an estimate all of it.
    double of(const RunningJob &job, Seconds left, int cores) const;

  private:
    double work(Seconds left, int cores) const;

    Seconds now_;
    int cores_of_node_ = 1;
};

// Higher tiers first; in a tier who is in front, then the lowest rank; of equals, who arrived
// first.
bool comes_before(const Claim &left, const Claim &right);

// Of two that wait: higher tiers first; in a tier who is in front, then as the queue has them.
bool is_queued_before(const Claim &left, const Claim &right);

// Whether a waiting job that is in front comes before another once it runs: then it has its own
// place, while running jobs that have lost too much stay in front.
bool comes_before_once_it_runs(const Claim &waiting, const Claim &other);

// Puts the first of each tier in front that has waited for its patience, as the queue has it,
// unless those that were started so hold a part of the machine already.
void put_overdue_in_front(const Pass &pass, Claims &waiting);

} // namespace vmall::policy::least_work
