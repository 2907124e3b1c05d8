// SPDX-License-Identifier: GPL-2.0-or-later
//
// Takes a view of slurmctld.
#pragma once

#include "plugins/sched_fjt/view.hpp"

namespace vmall::sched {

// Takes slurmctld's lock for the time it takes to copy. Nothing is seen where no job is virtually
// malleable: all that waits and runs then is the business of Slurm's own schedulers.
// While Slurm's settings contradict virtual malleability, no job of the view is virtually
// malleable.
View look();

// The same under a lock the caller holds; without the queue, which costs more.
View look_at_active();

// Under a lock to act: cores of its nodes that a running job may not grow into, for reservations.
CoreSets withheld_from(JobNumber job);

// What in Slurm's settings contradicts virtual malleability, and what to write instead; empty:
// nothing. Under a lock the caller holds, or while slurmctld starts.
std::string contradiction();

} // namespace vmall::sched
