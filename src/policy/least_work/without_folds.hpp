// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether it pays that somebody is folded for a waiting job, or that it starts folded:
// doc/policy.md.
#pragma once

#include "policy/least_work/node_choice.hpp"
#include "policy/least_work/releases.hpp"
#include "policy/least_work/tallied_room.hpp"

namespace vmall::policy::least_work {

// What there would be if nobody was folded any deeper.
class WithoutFolds {
  public:
    // Of claims, and what running jobs would leave over alone.
    WithoutFolds(const Pass &pass, const Claims &claims, TalliedRoom left_over);

    const TalliedRoom &room() const { return room_; }
    void take(const Claim &claim); // planned; as far as it is there

    // Nobody is folded for this placement.
    bool has(const Placement &placement) const;

    // The job would have to wait for longer than it loses itself by being folded, and everybody
    // else by the cores that folding wastes. Always, if nobody knows how long it takes or when
    // there would be room.
    bool folding_pays(const Claim &claim, const Placement &placement) const;

  private:
    bool starts_by(const Claim &claim, Seconds time) const;

    const Pass &pass_;
    TalliedRoom room_;
    Releases ends_; // of all that run
    int cores_ = 0; // of the machine
};

} // namespace vmall::policy::least_work
