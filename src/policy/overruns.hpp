// SPDX-License-Identifier: GPL-2.0-or-later
//
// How far the jobs of each user ran past what he had said: who says too little is believed less.
#pragma once

#include "policy/model.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace vmall::policy {

using UserId = std::uint32_t;

struct Overrun {
    UserId user = 0;
    JobId job;
    Seconds estimate = 0; // by its user
    Seconds work = 0;     // done when it was seen last
    Seconds seen = 0;     // then
};

class Overruns {
  public:
    // A job that runs for more than twice as long as was said; again when that has become a tenth
    // more. Of each user the last 31 such jobs of the last 30 days count.
    void note(const Overrun &overrun);

    // How long a job runs of which its user says so: as many times longer as the worst of his jobs
    // of the last 30 days, but no longer than the longest of them. Never less than he says.
    Seconds likely_work(UserId user, Seconds estimate, Seconds now) const;

    // In the order in which they can be noted again.
    std::vector<Overrun> noted() const;

    // Those that count no more.
    void forget(Seconds now);

  private:
    std::map<UserId, std::vector<Overrun>> by_user_; // the most recent jobs last
};

} // namespace vmall::policy
