// SPDX-License-Identifier: GPL-2.0-or-later
//
// The earliest of all bounds.
#include "plugins/sched_fjt/decide/permitted_time.hpp"

#include "policy/cost/work.hpp"
#include "policy/time.hpp"

#include <algorithm>

namespace vmall::sched {

namespace {

policy::Seconds ran_until(policy::Seconds now, const JobView &job) {
    return job.state == JobState::waiting ? 0 : time_run(job, now);
}

} // namespace

policy::Seconds permitted_time(const JobView &job, policy::Seconds now,
                               const config::Standing &standing, const config::Config &config) {
    policy::Seconds permitted = policy::never;
    const policy::Seconds ran = ran_until(now, job);
    for (const auto &time : {job.deadline, job.reserved, job.reservation_ends})
        if (time)
            permitted = std::min(permitted, *time - now);
    if (config.hard_limits.partition && job.partition_limit)
        permitted = std::min(permitted, *job.partition_limit - ran);
    if (config.hard_limits.qos && job.qos_limit)
        permitted = std::min(permitted, *job.qos_limit - ran);
    const int extension = config.limit_extension.lowest_for(standing);
    if (job.limit_in_slurm && extension != config::unlimited_extension)
        permitted = std::min(permitted, job.time_limit + extension - ran);
    return permitted;
}

int deepest_mpl(const JobView &job, policy::Seconds now, policy::Seconds lost,
                const config::Standing &standing, const config::Config &config) {
    const policy::Seconds work_left =
        job.limit_in_slurm ? job.time_limit - (ran_until(now, job) - lost) : policy::never;
    return policy::deepest_mpl(work_left, permitted_time(job, now, standing, config));
}

} // namespace vmall::sched
