// SPDX-License-Identifier: GPL-2.0-or-later
//
// Takes a view of slurmctld.
#pragma once

#include "plugins/sched_fjt/see/view.hpp"

namespace vmall::sched {

// Takes slurmctld's locks, one after the other, for the time it takes to copy. The queue ends where
// sched/backfill's would (bf_max_job_test). Nothing is seen where no job is virtually malleable, or
// has asked to be: all that waits and runs then is the business of Slurm's own schedulers. While
// Slurm's settings contradict virtual malleability, no job of the view is virtually malleable.
// `rules`: which jobs are, otherwise.
View look(const cores::Rules &rules);

// The same again without the queue, which costs the most: jobs that have started leave it.
void look_again(View &view);

// Under a lock the caller holds: one job, if it is active, and its nodes. With its cores, for it
// may have stopped to be virtually malleable while its nodes fold it.
View look_at_job(JobNumber job, const cores::Rules &rules);

// Under a lock the caller holds: cores that nobody holds on the nodes of an active job. Jobs that
// are completing still hold theirs, suspended ones do not.
CoreSets free_cores_beside(JobNumber job);

// Under a lock to act: cores of its nodes that a running job may not grow into, for reservations,
// if it runs for so much longer then.
CoreSets withheld_from(JobNumber job, policy::Seconds left);

// What in Slurm's settings contradicts virtual malleability, and what to write instead; empty:
// nothing. Under a lock the caller holds, or while slurmctld starts.
std::string contradiction();

} // namespace vmall::sched
