// SPDX-License-Identifier: GPL-2.0-or-later
//
// Windows of backfilled jobs: when they expire, and what becomes of the job then. Thesis ch. 6,
// ICS'05 s. 4.
#pragma once

#include "policy/pass.hpp"
#include "policy/sizing/sizing.hpp"

#include <memory>

namespace vmall::policy {

class ExpiryPolicy {
  public:
    virtual ~ExpiryPolicy() = default;

    // What a backfilled job that can be resized holds after its window has expired. What it holds
    // now: nothing is done to it.
    virtual CoreCounts kept(const Pass &pass, const RunningJob &job) const = 0;

    // Makes it so. Only called if `kept` is less than the job holds now.
    virtual void expire(Pass &pass, Running &running) const = 0;

    // A short job that is let in keeps one core of so many at expiry; 1 if expiry takes no core
    // away without ending it.
    virtual int fold_factor(const Pass &pass, const WaitingJob &job) const = 0;

    // Expiry takes cores away.
    virtual bool acts(const Pass &pass) const = 0;

    // Also from this job, once it runs.
    virtual bool acts_on(const Pass &pass, const WaitingJob &) const { return acts(pass); }
};

// Folds the job, ICS'05 by four.
std::unique_ptr<ExpiryPolicy> make_shrink();
// Requeues it: the "abort" of the papers.
std::unique_ptr<ExpiryPolicy> make_requeue();
// Ends it for good.
std::unique_ptr<ExpiryPolicy> make_kill();
// Suspends it: it is back in the queue, and resumed on the same cores of the same nodes.
std::unique_ptr<ExpiryPolicy> make_suspend();
// Lets it go on; the head waits.
std::unique_ptr<ExpiryPolicy> make_keep();

// When windows expire by the rule of the settings, if nothing else happens.
class ExpiryRule {
  public:
    ExpiryRule(const Pass &pass, const WaitingJob &head);

    // Of a backfilled job: not after now if its window has expired, `never` if that is not known.
    Seconds expiry(const RunningJob &job) const;

  private:
    WindowRule rule_;
    Seconds by_order_; // ICS'05 s. 4: when all that runs arrived after the head
};

// Takes cores from jobs whose window has expired, the oldest first, until the head fits with
// the least that it would start with. Jobs that turn out not to matter for that are spared, all of
// them if it is not enough: folding for nothing would make them slower, and the head wait longer
// for their end. Answers whether the head, which does not fit now, does once all cores that are
// being given back are there.
bool make_room_for_head(Pass &pass, const ExpiryPolicy &policy, const Delay &delay);

} // namespace vmall::policy
