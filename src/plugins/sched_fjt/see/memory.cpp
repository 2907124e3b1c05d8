// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compares what waiting jobs ask for with what is left on their nodes.
#include "plugins/sched_fjt/see/memory.hpp"

#include "policy/reasons.hpp"
#include "policy/room/memory_per_core.hpp"
#include "policy/room/room.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <variant>

namespace vmall::sched {

namespace {

// Of the cores that a task has on a node of this kind.
int cpus_of_task(const JobView &job, int threads_per_core) {
    const int used =
        job.threads_per_core ? std::min(job.threads_per_core, threads_per_core) : threads_per_core;
    return cores_for_task(job, threads_per_core) * used;
}

bool asks_for_memory(const JobView &job) {
    return job.memory.of_each_cpu || job.memory.of_each_node;
}

// In the smallest of its sizes.
std::uint64_t needed_on(const JobView &job, const NodeView &node) {
    const int tasks = policy::ceil_div(accepted_sizes(job).smallest(), job.min_nodes);
    const auto cpus = static_cast<std::uint64_t>(tasks) *
                      static_cast<std::uint64_t>(cpus_of_task(job, node.threads_per_core));
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
    if (!asks_for_memory(job))
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

// Of a job that did not ask, each of whose cores stands for a process; at least.
std::uint64_t memory_of_core(const JobView &job, const policy::WaitingJob &waiting) {
    return job.memory.of_each_cpu * static_cast<std::uint64_t>(cpus_asked_for(job)) /
           static_cast<std::uint64_t>(waiting.sizes.largest());
}

std::uint64_t memory_of_process(const JobView &job, int threads_per_core) {
    return job.memory.of_each_cpu * static_cast<std::uint64_t>(cpus_of_task(job, threads_per_core));
}

bool holds_as_much_on_each_node(const JobView &job) {
    const std::uint64_t first = job.memory_held.begin()->second;
    return job.memory_held.size() == job.allotment.size() &&
           std::all_of(job.memory_held.begin(), job.memory_held.end(),
                       [&](const auto &here) { return here.second == first; });
}

} // namespace

void count_memory(const View &view, std::vector<policy::Node> &nodes) {
    const MemoryHeld held = memory_held(view);
    if (held.empty() && std::none_of(view.queue.begin(), view.queue.end(), asks_for_memory))
        return;
    for (const auto &[index, node] : view.nodes) {
        const auto here = held.find(index);
        const std::uint64_t in_use = here == held.end() ? 0 : here->second;
        nodes[index].memory = static_cast<std::int64_t>(node.memory);
        nodes[index].free_memory =
            static_cast<std::int64_t>(node.memory - std::min(in_use, node.memory));
    }
}

void count_memory(const JobView &job, NodeKinds &kinds, policy::WaitingJob &waiting) {
    if (waiting.whole_nodes)
        return;
    const NodeKind &kind = kinds.of(waiting.eligible);
    waiting.memory_per_process = static_cast<std::int64_t>(
        job.virtually_malleable ? memory_of_process(job, kind.fewest_threads)
                                : memory_of_core(job, waiting));
    waiting.memory_per_node =
        static_cast<std::int64_t>(std::min(job.memory.of_each_node, kind.least_memory));
}

void count_memory(const JobView &job, policy::RunningJob &running) {
    if (job.memory_held.empty())
        return;
    if (holds_as_much_on_each_node(job)) {
        running.memory_per_node = static_cast<std::int64_t>(job.memory_held.begin()->second);
        return;
    }
    std::uint64_t held = 0;
    for (const auto &[node, memory] : job.memory_held)
        held += memory;
    running.memory_per_process =
        static_cast<std::int64_t>(held / static_cast<std::uint64_t>(std::max(1, job.tasks)));
}

double memory_per_core(const JobView &job) {
    policy::RunningJob running;
    running.processes = job.tasks;
    running.cores_per_process = job.cores_per_task;
    running.allotment = job.allotment;
    count_memory(job, running);
    return policy::memory_per_core(running);
}

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
