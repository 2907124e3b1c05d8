// SPDX-License-Identifier: GPL-2.0-or-later
//
// Splits a snapshot into parts that have nothing to do with each other: a job that waits for nodes
// of one Slurm partition is not the head of the jobs that wait for another's.
#pragma once

#include "policy/model.hpp"

#include <vector>

namespace vmall::policy {

// Nodes belong together if a waiting job may use both or a running job holds both; those that no
// waiting job may use form one more pool. Pools are ordered by their first waiting job. In a pool
// the nodes of others are there, so that indices stay, but have no cores. The snapshot is one that
// normalise() has gone over.
std::vector<Snapshot> split_into_pools(const Snapshot &snapshot);

} // namespace vmall::policy
