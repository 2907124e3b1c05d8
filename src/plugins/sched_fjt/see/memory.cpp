// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compares what waiting jobs ask for with what is left on their nodes.
#include "plugins/sched_fjt/see/memory.hpp"

#include "policy/reasons.hpp"
#include "policy/room/room.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <variant>

namespace vmall::sched {

namespace {

// Of the cores that a task has on a node of this kind.
int cpus_of_task(const JobView &job, const NodeView &node) {
    const int used = job.threads_per_core ? std::min(job.threads_per_core, node.threads_per_core)
                                          : node.threads_per_core;
    return cores_for_task(job, node.threads_per_core) * used;
}

// In the smallest of its sizes.
std::uint64_t needed_on(const JobView &job, const NodeView &node) {
    const int tasks = policy::ceil_div(accepted_sizes(job).smallest(), job.min_nodes);
    const auto cpus =
        static_cast<std::uint64_t>(tasks) * static_cast<std::uint64_t>(cpus_of_task(job, node));
    return job.memory.of_each_cpu ? job.memory.of_each_cpu * cpus
                                  : std::min(job.memory.of_each_node, node.memory);
}

using MemoryHeld = std::map<NodeNumber, std::uint64_t>; // MiB

MemoryHeld memory_held(const View &view) {
    MemoryHeld held;
    for (const auto &[id, job] : view.active)
        for (const auto &[node, memory] : job.memory_held)
            held[node] += memory;
    return held;
}

// Whether too few nodes have memory for the job at this moment.
bool lacks_memory(const View &view, const MemoryHeld &held, const JobView &job) {
    if (!job.memory.of_each_cpu && !job.memory.of_each_node)
        return false;
    int found = 0;
    for (const policy::NodeIndex index : job.eligible) {
        const auto node = view.nodes.find(index.value);
        if (node == view.nodes.end())
            continue;
        const auto here = held.find(index.value);
        const std::uint64_t in_use = here == held.end() ? 0 : here->second;
        found += in_use + needed_on(job, node->second) <= node->second.memory;
        if (found == job.min_nodes)
            return false;
    }
    return true;
}

bool waits_for_room(const policy::Wait &wait) {
    return wait.why.kind == policy::Reason::Kind::cores ||
           wait.why.kind == policy::Reason::Kind::refused;
}

// What a running job keeps of its cores, folded as deep as it may be.
policy::CoreCounts floor_of(const policy::RunningJob &job) {
    return policy::at_mpl(job.unfolded, job.cores_per_process, job.max_mpl);
}

// By node: free, or to be had by folding.
policy::Room within_reach(const policy::Snapshot &snapshot) {
    policy::Room room;
    policy::fill_with_free(room, snapshot.nodes);
    for (const policy::RunningJob &job : snapshot.running)
        if (job.virtually_malleable && job.resizable)
            for (const policy::NodeCores &here : policy::released(job.allotment, floor_of(job)))
                if (here.node.value < room.size())
                    room[here.node.value] += here.cores;
    return room;
}

std::set<policy::JobId> waiting_for_memory(const std::vector<policy::Action> &actions) {
    std::set<policy::JobId> jobs;
    for (const policy::Action &action : actions)
        if (const auto *wait = std::get_if<policy::Wait>(&action);
            wait && wait->why == policy::reasons::memory)
            jobs.insert(wait->id);
    return jobs;
}

} // namespace

std::vector<policy::Action> with_memory_told(const View &view,
                                             std::vector<policy::Action> actions) {
    const MemoryHeld held = memory_held(view);
    for (policy::Action &action : actions)
        if (auto *wait = std::get_if<policy::Wait>(&action); wait && waits_for_room(*wait))
            if (const JobView *job = waiting_job(view, wait->id.value);
                job && job->virtually_malleable && lacks_memory(view, held, *job))
                wait->why = policy::reasons::memory;
    return actions;
}

std::uint64_t cores_without_memory(const policy::Snapshot &snapshot,
                                   const std::vector<policy::Action> &actions) {
    const std::set<policy::JobId> jobs = waiting_for_memory(actions);
    if (jobs.empty())
        return 0;
    std::set<policy::NodeIndex> nodes;
    int wanted = 0;
    for (const policy::WaitingJob &job : snapshot.waiting)
        if (jobs.count(job.id)) {
            wanted += policy::least_cores(job, job.sizes.smallest(), job.max_mpl);
            nodes.insert(job.eligible.begin(), job.eligible.end());
        }
    const policy::Room reach = within_reach(snapshot);
    int cores = 0;
    for (const policy::NodeIndex node : nodes)
        cores += node.value < reach.size() ? reach[node.value] : 0;
    return static_cast<std::uint64_t>(std::min(cores, wanted));
}

} // namespace vmall::sched
