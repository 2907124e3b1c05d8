// SPDX-License-Identifier: GPL-2.0-or-later
//
// Until when a job may run, which bounds how deep it may be folded.
#pragma once

#include "config/config.hpp"
#include "plugins/sched_fjt/see/view.hpp"

namespace vmall::sched {

// Seconds from now on, `never` without a bound: until its deadline, a reservation of its nodes for
// others, the end of its own, its limit with as much as LimitExtension adds to it, and the limits
// of the site that HardLimits names. A job that waits is seen as if it started now.
policy::Seconds permitted_time(const JobView &job, policy::Seconds now,
                               const config::Standing &standing, const config::Config &config);

// The deepest that it may be folded so that the work its limit allows is done by then. `lost`: of
// its time, to folding.
int deepest_mpl(const JobView &job, policy::Seconds now, policy::Seconds lost,
                const config::Standing &standing, const config::Config &config);

} // namespace vmall::sched
