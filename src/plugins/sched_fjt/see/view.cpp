// SPDX-License-Identifier: GPL-2.0-or-later
//
// Jobs of a view.
#include "plugins/sched_fjt/see/view.hpp"

#include "policy/folding/mpl.hpp"
#include "policy/room/room.hpp"

#include <algorithm>
#include <chrono>

namespace vmall::sched {

policy::Sizes accepted_sizes(const JobView &job) {
    return job.request.sizes.empty() ? policy::Sizes{job.tasks} : job.request.sizes;
}

int cpus_asked_for(const JobView &job) {
    return std::max(job.tasks * job.cpus_per_task, job.min_cpus);
}

int cores_for_task(const JobView &job, int threads_per_core) {
    const int used =
        job.threads_per_core ? std::min(job.threads_per_core, threads_per_core) : threads_per_core;
    return policy::ceil_div(job.cpus_per_task, std::max(1, used));
}

policy::CoreCounts unfolded_on(const JobView &job, const policy::CoreCounts &nodes) {
    policy::CoreCounts unfolded = policy::unfolded_equally(job.tasks, job.cores_per_task, nodes);
    for (policy::NodeCores &part : unfolded)
        if (const auto found = job.tasks_on.find(part.node.value); found != job.tasks_on.end())
            part.cores = found->second * job.cores_per_task;
    return unfolded;
}

int mpl_on(const JobView &job, const policy::CoreCounts &cores) {
    return policy::mpl_of(unfolded_on(job, cores), job.cores_per_task, cores);
}

policy::Seconds time_run(const JobView &job, policy::Seconds now) {
    return std::max<policy::Seconds>(now - job.started - job.suspended, 0);
}

policy::Seconds steady_seconds() {
    return std::chrono::duration_cast<std::chrono::seconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
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
