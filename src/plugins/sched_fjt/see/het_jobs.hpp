// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where heterogeneous jobs stand in the queue.
#pragma once

#include "plugins/sched_fjt/see/view.hpp"

#include <vector>

namespace vmall::sched {

// The queue with all components of a heterogeneous job at the place of its last one: Slurm, which
// starts them together, plans the jobs between them before that. Without jobs one of whose
// components does not wait for cores, as it is held: nobody is to wait for those.
std::vector<JobView> with_het_jobs_in_place(std::vector<JobView> queue);

} // namespace vmall::sched
