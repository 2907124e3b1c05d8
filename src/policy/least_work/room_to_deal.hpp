// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is dealt: cores that are above everybody's floor, or free, and free memory.
#pragma once

#include "policy/least_work/tallied_room.hpp"

namespace vmall::policy::least_work {

class RoomToDeal {
  public:
    // What is withheld is not for those that wait.
    RoomToDeal(const Room &all, const Room &withheld);

    const Room &for_running() const { return all_; }
    const TalliedRoom &for_waiting() const { return open_; }

    template <class Counts>
    RoomToDeal &operator+=(const Counts &added) {
        all_ += added;
        open_ += added;
        return *this;
    }
    template <class Counts>
    RoomToDeal &operator-=(const Counts &taken) {
        all_ -= taken;
        open_ -= taken;
        return *this;
    }

    // What is withheld on these nodes is nobody's any more.
    void take_withheld(const CoreCounts &on);

  private:
    Room all_;
    TalliedRoom open_;
};

} // namespace vmall::policy::least_work
