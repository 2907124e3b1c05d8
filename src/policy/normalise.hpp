// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes a snapshot one that the rest of the policies can trust.
#pragma once

#include "policy/model.hpp"

#include <vector>

namespace vmall::policy {

// What every later piece relies on:
// - now is far from the ends of time;
// - nodes: 0 <= free <= cores, and so their memory;
// - waiting jobs: each once; at least one size, ascending, each of which fits the machine when
//   nobody else is there, and only the largest of them unless the job is virtually malleable and
//   sizes are chosen
//   (`moldable`); cores_per_process, max_mpl and min_nodes at least 1; memory not negative;
//   max_nodes at least min_nodes; eligible ascending, of nodes that exist; estimate and time_limit
//   positive, `never` if there is none; a promise is of an accepted size, on eligible nodes that
//   exist; a suspended job can have its cores back when nobody else is there;
// - running jobs: at least one process; allotments and targets on nodes that exist, allotments of
//   at least one core, ascending; arrival and start far from the ends of time; lost time not
//   negative and less than centuries; a useful share of 1 to 100 %; measured speed-ups positive and
//   finite, on at least one processor.
// Waiting jobs that no state of the machine would let start are taken out of the queue and
// returned.
std::vector<WaitingJob> normalise(Snapshot &snapshot, bool moldable);

// The same for one waiting job and nodes that are as they should be. False: no state of the machine
// would let it start.
bool normalise(WaitingJob &job, const std::vector<Node> &nodes, bool moldable);

} // namespace vmall::policy
