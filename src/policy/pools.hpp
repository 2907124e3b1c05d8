// SPDX-License-Identifier: GPL-2.0-or-later
//
// Splits a snapshot into parts that have nothing to do with each other: a job that waits for nodes
// of one Slurm partition is not the head of the jobs that wait for another's.
#pragma once

#include "policy/model.hpp"

#include <vector>

namespace vmall::policy {

// Refers to jobs of a snapshot that normalise() has gone over.
struct Pool {
    Seconds now = 0;
    std::vector<Node> nodes; // those of other pools are there, so that indices stay, without cores
    std::vector<const WaitingJob *> waiting; // queue order, the head first
    std::vector<const RunningJob *> running; // ascending by job id
    int folding_cost = usual_folding_cost;   // see Snapshot
};

// Nodes belong together if a waiting job may use both or a running job holds both; those that no
// waiting job may use form one more pool. Pools are ordered by their first waiting job.
std::vector<Pool> split_into_pools(const Snapshot &snapshot);

// Whether a virtually malleable job waits or runs there.
bool has_malleable_job(const Pool &pool);

} // namespace vmall::policy
