// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the policies are told about a job: nothing that the live scheduler would not know.
#pragma once

#include "policy/model.hpp"
#include "sim/model/job.hpp"
#include "sim/model/memory.hpp"

namespace vmall::sim {

// What of a machine decides over how many nodes a job is spread.
struct Extent {
    int nodes = 1;
    int cores_of_largest_node = 1;
    Memory memory;
};

// `rigid`: it has not asked for virtual malleability, even if it could.
policy::WaitingJob waiting_job(const Job &job, policy::JobId id, const Extent &machine, bool rigid);

// A suspended one: it wants back what it had, for the rest of its time.
policy::WaitingJob suspended_job(const Job &job, const policy::RunningJob &suspended,
                                 policy::Seconds now);

// When a job that was started then, and has lost so much to folding, ends by what is known now: by
// its estimate; by its time limit once that has passed. Both are work. A time after every other if
// it has neither.
policy::Seconds expected_end(const Job &job, policy::Seconds started, policy::Seconds lost,
                             policy::Seconds now);

// How long it takes unfolded, by its user; 0: not known.
policy::Seconds estimate_of(const Job &job);

} // namespace vmall::sim
