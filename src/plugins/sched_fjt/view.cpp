// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which cores are free.
#include "plugins/sched_fjt/view.hpp"

#include <algorithm>
#include <iterator>

namespace vmall::sched {

select::Cores without(const select::Cores &cores, const select::Cores &taken) {
    select::Cores rest;
    std::set_difference(cores.begin(), cores.end(), taken.begin(), taken.end(),
                        std::back_inserter(rest));
    return rest;
}

std::vector<int> accepted_sizes(const JobView &job) {
    std::vector<int> sizes = job.request.sizes;
    if (sizes.empty())
        sizes.push_back(job.tasks);
    std::sort(sizes.begin(), sizes.end());
    return sizes;
}

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
        free = without(free, held->second);
    }
    return free;
}

} // namespace vmall::sched
