// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a job has lost by sharing its cores on this node, and what its time limit was extended by
// for that. Kept on disk for the agent after a restart, through which the job goes on as it was.
#pragma once

#include "policy/model.hpp"

#include <cstdint>
#include <string>

namespace vmall::agent {

class TimeLost {
  public:
    // Until then, by the clock on the wall, it was at the MPL of the last call, and is at this one
    // from then on.
    void pass(policy::Seconds now, int mpl);

    // Minutes that its limit is to be extended by now, so that it will not have lost more than that
    // within `ahead`; at most as many as leave the sum at `most`, in seconds.
    int due(policy::Seconds ahead, policy::Seconds most) const;
    // As due() without bound is more than with it.
    bool is_bounded(policy::Seconds ahead, policy::Seconds most) const;
    void extended_by(int minutes) { extended_ += minutes; }

    policy::Seconds lost() const { return lost_ / 1000; }
    int extended() const { return extended_; } // minutes

    std::string encode() const;
    static TimeLost decode(const std::string &json); // throws control::MessageError

  private:
    std::int64_t lost_ = 0; // ms
    int extended_ = 0;      // minutes
    policy::Seconds since_ = 0;
    int mpl_ = 1; // since then
};

} // namespace vmall::agent
