// SPDX-License-Identifier: GPL-2.0-or-later
//
// Cores by node, and the search for nodes that have enough of them.
#pragma once

#include "policy/model.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace vmall::policy {

using Room = boost::container::small_vector<int, 8>; // cores that may be used, by NodeIndex

// The part of a room that one job can use: ascending by node, every entry at least one core.
using Usable = boost::container::small_vector<NodeCores, 4>;

// A waiting job put somewhere: what it would hold, and how it would run there.
struct Placement {
    int processes = 0;
    int mpl = 1;
    CoreCounts allotment;
};

constexpr int ceil_div(int dividend, int divisor) {
    return (dividend + divisor - 1) / divisor;
}

Room &operator+=(Room &room, const CoreCounts &added);
Room &operator-=(Room &room, const CoreCounts &taken);
Room min_of(const Room &left, const Room &right);

// Those cores of `before` that `after` no longer holds.
CoreCounts released(const CoreCounts &before, const CoreCounts &after);

// The part of `room` that a job can use: nothing on nodes it is not eligible for, nothing on partly
// used nodes if it takes whole ones.
Usable usable(const WaitingJob &job, const std::vector<Node> &nodes, const Room &room);

int cores_of(const Usable &usable);
int cores_of(const CoreCounts &allotment);
inline int cores_of(const Room &room) {
    return std::accumulate(room.begin(), room.end(), 0);
}

std::vector<NodeIndex> nodes_of(const CoreCounts &allotment);

// The cores per node a virtually malleable job needs to run this many processes unfolded.
inline int full_width(const WaitingJob &job, int processes) {
    return ceil_div(processes, job.min_nodes) * job.cores_per_process;
}

// With fewer cores in all, there is no need to look for nodes.
inline int least_cores(const WaitingJob &job, int processes, int mpl) {
    if (job.resumes_on)
        return cores_of(*job.resumes_on);
    return job.virtually_malleable ? ceil_div(full_width(job, processes), mpl) * job.min_nodes
                                   : std::max(processes, job.min_nodes) * job.cores_per_process;
}

// The most cores that as many nodes as a virtually malleable job spans can all give it.
int widest(const WaitingJob &job, const Usable &usable);

// The most processes a virtually malleable job can have that need no more than `width` cores per
// node.
int most_processes(const WaitingJob &job, int width);

// The largest accepted size of a job that is not above this; its smallest if all are.
int largest_size(const WaitingJob &job, int processes);

// Nodes for a job among those usable by it, the fullest that suffice first, so that large holes
// stay large. A virtually malleable job gets equal cores on each of its nodes, at this MPL; others
// get any spread, on as few nodes as they accept; a suspended one what it had. Empty: it does not
// fit.
std::optional<Placement> place(const WaitingJob &job, int processes, int mpl,
                               const std::vector<Node> &nodes, const Usable &usable);

// The same for a job that is not virtually malleable, with all its processes on one node.
std::optional<Placement> place_on_one_node(const WaitingJob &job, int processes,
                                           const std::vector<Node> &nodes, const Usable &usable);

} // namespace vmall::policy
