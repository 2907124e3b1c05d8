// SPDX-License-Identifier: GPL-2.0-or-later
//
// Jobs of a view.
#include "plugins/sched_fjt/see/view.hpp"

#include <algorithm>

namespace vmall::sched {

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
