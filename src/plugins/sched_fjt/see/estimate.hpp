// SPDX-License-Identifier: GPL-2.0-or-later
//
// How long a job is said to run.
#pragma once

#include "plugins/sched_fjt/see/view.hpp"

namespace vmall::sched {

// By its user, else its time limit. Slurm ends it at that, however long he expects it to run.
policy::Seconds estimate_of(const JobView &job);

} // namespace vmall::sched
