// SPDX-License-Identifier: GPL-2.0-or-later
//
// Cores and memory by node, and the search for nodes that have enough of them.
#pragma once

#include "policy/model.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace vmall::policy {

// Cores that may be used, by NodeIndex.
struct Room : boost::container::small_vector<int, 8> {
    using small_vector::small_vector;
    std::vector<std::int64_t> memory; // MiB, likewise; empty: not counted
};

// Of one job, ascending by node. Empty: none that is counted.
struct NodeMemory {
    NodeIndex node;
    std::int64_t memory = 0; // MiB
};
using MemoryCounts = boost::container::small_vector<NodeMemory, 1>;

// The part of a room that one job can use: ascending by node, every entry at least one core, and
// memory for a process.
struct Usable : boost::container::small_vector<NodeCores, 4> {
    std::vector<int> processes; // that there is memory for, entry by entry; empty: for any number

    bool has_memory(std::size_t entry, int for_processes) const {
        return processes.empty() || processes[entry] >= for_processes;
    }
};

// A waiting job put somewhere: what it would hold, and how it would run there.
struct Placement {
    int processes = 0;
    int mpl = 1;
    CoreCounts allotment;
    CoreCounts unfolded; // see RunningJob
};

constexpr int ceil_div(int dividend, int divisor) {
    return (dividend + divisor - 1) / divisor;
}

// Of the cores of a node on which no two processes share any, those that they need at an MPL: whole
// places, of as many cores as a process has threads.
constexpr int folded_width(int unfolded_width, int cores_per_process, int mpl) {
    return ceil_div(unfolded_width / cores_per_process, mpl) * cores_per_process;
}

// The same for one node after another. Most have as many as the one before, and dividing takes
// time.
class FoldedWidth {
  public:
    FoldedWidth(int cores_per_process, int mpl)
        : cores_per_process_(cores_per_process), mpl_(mpl) {}
    int of(int unfolded_width) {
        if (unfolded_width != unfolded_) {
            unfolded_ = unfolded_width;
            folded_ = folded_width(unfolded_width, cores_per_process_, mpl_);
        }
        return folded_;
    }

  private:
    const int cores_per_process_, mpl_;
    int unfolded_ = 0, folded_ = 0; // of the last
};

// The same on each node.
CoreCounts at_mpl(CoreCounts unfolded, int cores_per_process, int mpl);

// What is free now, in the place of what was in the room; what is when nobody is there.
void fill_with_free(Room &room, const std::vector<Node> &nodes);
Room empty_machine(const std::vector<Node> &nodes);

// Cores alone, as a resize gives and takes them. Who starts or ends has memory as well.
Room &operator+=(Room &room, const CoreCounts &added);
Room &operator-=(Room &room, const CoreCounts &taken);

// None where memory is not counted.
void add_memory(Room &room, const MemoryCounts &memory, int times);
inline Room &operator+=(Room &room, const MemoryCounts &added) {
    if (!added.empty())
        add_memory(room, added, 1);
    return room;
}
inline Room &operator-=(Room &room, const MemoryCounts &taken) {
    if (!taken.empty())
        add_memory(room, taken, -1);
    return room;
}

// What a job holds from its start to its end, however folded: by the processes on each node.
MemoryCounts memory_of(const Demand &job, const CoreCounts &unfolded);
inline MemoryCounts memory_of(const RunningJob &job) {
    return memory_of(job, job.unfolded);
}

// Whether memory has a say in where the job goes.
inline bool counts_memory(const WaitingJob &job, const Room &room) {
    return needs_memory(job) && !room.memory.empty();
}

bool has(const Room &room, const NodeMemory &wanted);
bool has(const Room &room, const MemoryCounts &wanted);

Room min_of(const Room &left, const Room &right);

// Those cores of `before` that `after` no longer holds.
CoreCounts released(const CoreCounts &before, const CoreCounts &after);

// The part of `room` that a job can use: nothing on nodes it is not eligible for, nothing on partly
// used nodes if it takes whole ones or others than its company are there, no cores whose processes
// have no memory if it is not virtually malleable.
Usable usable(const WaitingJob &job, const std::vector<Node> &nodes, const Room &room);

int cores_of(const Usable &usable);
int cores_of(const CoreCounts &allotment);
inline int cores_of(const Room &room) {
    return std::accumulate(room.begin(), room.end(), 0);
}

std::vector<NodeIndex> nodes_of(const CoreCounts &allotment);

// A virtually malleable job that says how it is spread has as many equal parts as nodes. Any other
// is one part, wherever that is.
inline int parts_of(const WaitingJob &job) {
    return job.any_spread ? 1 : job.min_nodes;
}

// The cores that a part of a virtually malleable job needs to run this many processes unfolded.
inline int full_width(const WaitingJob &job, int processes) {
    return ceil_div(processes, parts_of(job)) * job.cores_per_process;
}

// The same, folded.
inline int full_width(const WaitingJob &job, int processes, int mpl) {
    return folded_width(full_width(job, processes), job.cores_per_process, mpl);
}

// With fewer cores in all, there is no need to look for nodes.
inline int least_cores(const WaitingJob &job, int processes, int mpl) {
    if (job.resumes_on)
        return cores_of(*job.resumes_on);
    const int least = job.min_nodes * job.cores_per_process;
    return job.virtually_malleable
               ? std::max(full_width(job, processes, mpl) * parts_of(job), least)
               : std::max(processes * job.cores_per_process, least);
}

// The most cores that each part of a virtually malleable job can have.
int widest(const WaitingJob &job, Usable usable);

// The most processes a virtually malleable job can have whose parts need no more than `width`
// cores.
int most_processes(const WaitingJob &job, int width);

// The most that it can have at this MPL, of nodes that it can use. It can be unfolded there.
int most_processes(const WaitingJob &job, const std::vector<Node> &nodes, const Usable &usable,
                   int mpl);

// The largest accepted size of a job that is not above this; its smallest if all are.
int largest_size(const WaitingJob &job, int processes);

// Nodes for a job among those usable by it, at this MPL: the fullest that suffice, so that large
// holes stay large. A virtually malleable job that says how it is spread gets equal cores on each
// of its nodes; others get any spread, on as few nodes as they accept, where they can be unfolded;
// a suspended one what it had. Empty: it does not fit.
std::optional<Placement> place(const WaitingJob &job, int processes, int mpl,
                               const std::vector<Node> &nodes, const Usable &usable);

// Whether it does, which is found out sooner.
bool has_room_for(const WaitingJob &job, int processes, int mpl, const std::vector<Node> &nodes,
                  const Usable &usable);

// The same for a job that is not virtually malleable, with all its processes on one node.
std::optional<Placement> place_on_one_node(const WaitingJob &job, int processes,
                                           const std::vector<Node> &nodes, const Usable &usable);

} // namespace vmall::policy
