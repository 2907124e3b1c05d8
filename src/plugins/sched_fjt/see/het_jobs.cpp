// SPDX-License-Identifier: GPL-2.0-or-later
//
// Keeps components back until their last one comes.
#include "plugins/sched_fjt/see/het_jobs.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace vmall::sched {

std::vector<JobView> with_het_jobs_in_place(std::vector<JobView> queue) {
    std::vector<JobView> result;
    std::map<JobNumber, std::vector<JobView>> kept_back;
    result.reserve(queue.size());
    for (JobView &job : queue) {
        if (!job.het_job) {
            result.push_back(std::move(job));
            continue;
        }
        const std::uint32_t all = job.het_components;
        std::vector<JobView> &components = kept_back[job.het_job];
        components.push_back(std::move(job));
        if (components.size() == all)
            std::move(components.begin(), components.end(), std::back_inserter(result));
    }
    return result;
}

} // namespace vmall::sched
