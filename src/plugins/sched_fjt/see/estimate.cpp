// SPDX-License-Identifier: GPL-2.0-or-later
//
// How long a job is said to run.
#include "plugins/sched_fjt/see/estimate.hpp"

#include <algorithm>

namespace vmall::sched {

policy::Seconds estimate_of(const JobView &job) {
    return job.virtually_malleable && job.request.estimate
               ? std::min<policy::Seconds>(*job.request.estimate, job.time_limit)
               : job.time_limit;
}

} // namespace vmall::sched
