// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/sched_fjt/see/standing.hpp"

namespace vmall::sched {

policy::JobClass class_of(const JobView &job, const config::Config &config) {
    if (job.request.job_class)
        return *job.request.job_class;
    const auto found = config.class_by_partition.find(job.partition);
    if (found != config.class_by_partition.end())
        return found->second;
    return job.time_limit <= config.short_time_limit ? policy::JobClass::short_job
                                                     : policy::JobClass::long_job;
}

config::Standing standing_of(const JobView &job, const config::Config &config) {
    return {class_of(job, config), job.partition, job.qos, job.account, job.user_id};
}

} // namespace vmall::sched
