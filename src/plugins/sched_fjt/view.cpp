// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which cores are free.
#include "plugins/sched_fjt/view.hpp"

#include <algorithm>
#include <iterator>

namespace vmall::sched {

select::Cores View::free_cores(NodeNumber node) const {
    const auto found = nodes.find(node);
    if (found == nodes.end() || !found->second.usable)
        return {};
    select::Cores free = found->second.cores;
    for (const auto &[id, job] : active) {
        const auto held = job.cores.find(node);
        const bool holds = job.state == JobState::running || job.state == JobState::completing;
        if (!holds || held == job.cores.end())
            continue;
        select::Cores rest;
        std::set_difference(free.begin(), free.end(), held->second.begin(), held->second.end(),
                            std::back_inserter(rest));
        free = std::move(rest);
    }
    return free;
}

} // namespace vmall::sched
