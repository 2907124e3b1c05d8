// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is counted of jobs and cores.
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

const JobView *waiting_job(const View &view, JobNumber id) {
    const auto found = std::find_if(view.queue.begin(), view.queue.end(),
                                    [&](const JobView &job) { return job.id == id; });
    return found == view.queue.end() ? nullptr : &*found;
}

const JobView *running_job(const View &view, JobNumber id) {
    const auto found = view.active.find(id);
    return found != view.active.end() && found->second.state == JobState::running ? &found->second
                                                                                  : nullptr;
}

} // namespace vmall::sched
