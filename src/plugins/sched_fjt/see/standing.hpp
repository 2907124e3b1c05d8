// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a site's rules go by.
#pragma once

#include "config/config.hpp"
#include "plugins/sched_fjt/see/view.hpp"

namespace vmall::sched {

policy::JobClass class_of(const JobView &job, const config::Config &config);

config::Standing standing_of(const JobView &job, const config::Config &config);

} // namespace vmall::sched
