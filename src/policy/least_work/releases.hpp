// SPDX-License-Identifier: GPL-2.0-or-later
//
// What comes free by and by, and when there is room for a job.
#pragma once

#include "policy/room/room.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace vmall::policy::least_work {

class Releases {
  public:
    // At `never`: it is not known when.
    void add(Seconds time, CoreCounts cores, MemoryCounts memory);

    // The first time from `earliest` on at which what has come free by then makes a room fit, which
    // has it afterwards. What fits must also fit if there is more, and takes `least` cores. Empty:
    // none is known, and the room is of no use any more.
    std::optional<Seconds> first_fit(Seconds earliest, int least, Room &room,
                                     const std::function<bool(const Room &)> &fits);

    // Whether there is such a time until `latest`: one look at all nodes instead of several.
    bool fits_by(Seconds latest, int least, Room room,
                 const std::function<bool(const Room &)> &fits) const;

  private:
    struct Release {
        Seconds time;
        CoreCounts cores;
        MemoryCounts memory;
    };

    std::size_t count_until(Seconds time) const;
    std::size_t count_for(int cores) const;

    std::vector<Release> releases_;
};

} // namespace vmall::policy::least_work
