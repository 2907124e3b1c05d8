// SPDX-License-Identifier: GPL-2.0-or-later
//
// Cores and memory by node, and the search for nodes that have enough of them.
#include "policy/room/room.hpp"

#include "policy/room/slots.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace vmall::policy {

namespace {

constexpr int unlimited = std::numeric_limits<int>::max();
constexpr std::int64_t not_counted = std::numeric_limits<std::int64_t>::max() / 2;

// Those with at least so many cores, and memory for so many processes.
Usable at_least(int cores, int processes, const Usable &usable) {
    Usable result;
    for (std::size_t i = 0; i < usable.size(); i++)
        if (usable[i].cores >= cores && usable.has_memory(i, processes))
            result.push_back(usable[i]);
    return result;
}

// Objects, not functions, so that what sorts thousands of nodes need not call them.
constexpr auto in_node_order = [](const NodeCores &left, const NodeCores &right) {
    return left.node < right.node;
};

constexpr auto fuller = [](const NodeCores &left, const NodeCores &right) {
    return left.cores != right.cores ? left.cores < right.cores : left.node < right.node;
};

bool emptier(const NodeCores &left, const NodeCores &right) {
    return std::tie(right.cores, left.node) < std::tie(left.cores, right.node);
}

// The fullest node with at least so many cores, and memory for so many processes; null: there is
// none.
const NodeCores *fullest(const Usable &usable, int cores, int processes) {
    const NodeCores *best = nullptr;
    for (std::size_t i = 0; i < usable.size(); i++)
        if (usable[i].cores >= cores && usable.has_memory(i, processes) &&
            (!best || fuller(usable[i], *best)))
            best = &usable[i];
    return best;
}

// What a job would hold unfolded. Empty: there is no room.
CoreCounts place_evenly(const WaitingJob &job, int processes, int mpl, const Usable &usable) {
    const int node_count = job.min_nodes;
    const int unfolded = full_width(job, processes), folded = full_width(job, processes, mpl);
    const int processes_per_node = ceil_div(processes, node_count);
    CoreCounts parts;
    if (node_count == 1) {
        if (const NodeCores *node = fullest(usable, folded, processes_per_node))
            parts.emplace_back(NodeCores{node->node, unfolded});
        return parts;
    }
    Usable nodes = at_least(folded, processes_per_node, usable);
    if (nodes.size() < static_cast<std::size_t>(node_count))
        return parts;
    std::partial_sort(nodes.begin(), nodes.begin() + node_count, nodes.end(), fuller);
    for (int i = 0; i < node_count; i++)
        parts.push_back({nodes[i].node, unfolded});
    std::sort(parts.begin(), parts.end(), in_node_order);
    return parts;
}

// On one node if that is possible.
CoreCounts place_unevenly(const WaitingJob &job, int processes, int mpl,
                          const std::vector<Node> &nodes, const Usable &usable) {
    // There may be thousands of nodes, and far too few free cores.
    if (cores_of(usable) < least_cores(job, processes, mpl))
        return {};
    std::vector<Slots> there = slots(job, mpl, nodes, usable);
    if (job.min_nodes == 1)
        if (const Slots *node = fullest_for(processes, there))
            return {{node->node, processes * job.cores_per_process}};
    if (!has_room_spread(job, processes, there))
        return {};
    return place_spread(job, processes, there);
}

std::optional<Placement> placed(const WaitingJob &job, int processes, int mpl,
                                const std::vector<Node> &nodes, CoreCounts unfolded) {
    std::optional<Placement> placement;
    if (unfolded.empty())
        return placement;
    placement.emplace();
    placement->processes = processes;
    placement->mpl = mpl;
    placement->allotment = at_mpl(unfolded, job.cores_per_process, mpl);
    if (job.whole_nodes)
        for (NodeCores &part : placement->allotment)
            part.cores = nodes[part.node.value].cores;
    placement->unfolded = job.virtually_malleable ? std::move(unfolded) : placement->allotment;
    return placement;
}

bool has(const Usable &usable, const NodeCores &wanted, int processes) {
    for (std::size_t i = 0; i < usable.size(); i++)
        if (usable[i].node == wanted.node)
            return usable[i].cores >= wanted.cores && usable.has_memory(i, processes);
    return false;
}

bool has_all(const Usable &usable, const WaitingJob &job) {
    const CoreCounts &wanted = *job.resumes_on;
    for (std::size_t i = 0; i < wanted.size(); i++)
        if (!has(usable, wanted[i], job.unfolded[i].cores / job.cores_per_process))
            return false;
    return true;
}

template <int Node::*cores, std::int64_t Node::*memory>
void fill(Room &room, const std::vector<Node> &nodes) {
    room.clear();
    room.memory.clear();
    bool counted = false;
    for (const Node &node : nodes) {
        room.push_back(node.*cores);
        counted |= node.memory > 0;
    }
    if (counted)
        for (const Node &node : nodes)
            room.memory.push_back(node.memory > 0 ? node.*memory : not_counted);
}

int processes_with_memory(const WaitingJob &job, const Room &room, NodeIndex node) {
    const std::int64_t left = room.memory[node.value] - job.memory_per_node;
    if (left < 0 || job.memory_per_process == 0)
        return left < 0 ? 0 : unlimited;
    return static_cast<int>(std::min<std::int64_t>(left / job.memory_per_process, unlimited));
}

// No cores without memory for who would run there.
Usable with_memory(const Usable &by_cores, const WaitingJob &job, const std::vector<Node> &nodes,
                   const Room &room) {
    Usable result;
    for (NodeCores part : by_cores) {
        const int processes = processes_with_memory(job, room, part.node);
        if (!job.virtually_malleable)
            part.cores = static_cast<int>(std::min<std::int64_t>(
                part.cores, std::int64_t{processes} * job.cores_per_process));
        if (processes == 0 || (job.whole_nodes && part.cores < nodes[part.node.value].cores))
            continue;
        result.push_back(part);
        result.processes.push_back(processes);
    }
    return result;
}

} // namespace

void fill_with_free(Room &room, const std::vector<Node> &nodes) {
    fill<&Node::free, &Node::free_memory>(room, nodes);
}

Room empty_machine(const std::vector<Node> &nodes) {
    Room room;
    fill<&Node::cores, &Node::memory>(room, nodes);
    return room;
}

CoreCounts at_mpl(CoreCounts unfolded, int cores_per_process, int mpl) {
    FoldedWidth width(cores_per_process, mpl);
    for (NodeCores &part : unfolded)
        part.cores = width.of(part.cores);
    return unfolded;
}

Room &operator+=(Room &room, const CoreCounts &added) {
    for (const auto &part : added)
        room[part.node.value] += part.cores;
    return room;
}

Room &operator-=(Room &room, const CoreCounts &taken) {
    for (const auto &part : taken)
        room[part.node.value] -= part.cores;
    return room;
}

void add_memory(Room &room, const MemoryCounts &memory, int times) {
    if (!room.memory.empty())
        for (const NodeMemory &part : memory)
            room.memory[part.node.value] += times * part.memory;
}

MemoryCounts memory_of(const Demand &job, const CoreCounts &unfolded) {
    MemoryCounts result;
    if (needs_memory(job))
        for (const NodeCores &part : unfolded)
            result.push_back(
                {part.node, memory_for(job, ceil_div(part.cores, job.cores_per_process))});
    return result;
}

bool has(const Room &room, const NodeMemory &wanted) {
    return wanted.memory == 0 || room.memory.empty() ||
           room.memory[wanted.node.value] >= wanted.memory;
}

bool has(const Room &room, const MemoryCounts &wanted) {
    return std::all_of(
        wanted.begin(), wanted.end(), [&](const NodeMemory &part) { return has(room, part); });
}

Room min_of(const Room &left, const Room &right) {
    const auto smaller = [](auto a, auto b) { return std::min(a, b); };
    Room result(left.size());
    std::transform(left.begin(), left.end(), right.begin(), result.begin(), smaller);
    result.memory.resize(left.memory.size());
    std::transform(left.memory.begin(), left.memory.end(), right.memory.begin(),
                   result.memory.begin(), smaller);
    return result;
}

CoreCounts released(const CoreCounts &before, const CoreCounts &after) {
    CoreCounts result;
    auto kept = after.begin();
    for (const auto &part : before) {
        while (kept != after.end() && kept->node < part.node)
            ++kept;
        const bool keeps_some = kept != after.end() && kept->node == part.node;
        const int cores = part.cores - (keeps_some ? kept->cores : 0);
        if (cores > 0)
            result.push_back({part.node, cores});
    }
    return result;
}

Usable usable(const WaitingJob &job, const std::vector<Node> &nodes, const Room &room) {
    Usable result;
    const bool all_eligible = job.eligible.empty();
    const std::size_t count = all_eligible ? room.size() : job.eligible.size();
    result.reserve(count);
    const auto shares = [&](const Node &node) {
        return !job.whole_nodes && job.company == node.company;
    };
    for (std::size_t i = 0; i < count; i++) {
        const NodeIndex node =
            all_eligible ? NodeIndex{static_cast<std::uint32_t>(i)} : job.eligible[i];
        const int cores = room[node.value];
        if (cores > 0 && (shares(nodes[node.value]) || cores >= nodes[node.value].cores))
            result.emplace_back(NodeCores{node, cores});
    }
    if (counts_memory(job, room))
        result = with_memory(result, job, nodes, room);
    return result;
}

int cores_of(const Usable &usable) {
    return std::accumulate(
        usable.begin(), usable.end(), 0,
        [](int sum, const NodeCores &part) { return sum + part.cores; });
}

int cores_of(const CoreCounts &allotment) {
    return std::accumulate(
        allotment.begin(), allotment.end(), 0,
        [](int sum, const NodeCores &part) { return sum + part.cores; });
}

std::vector<NodeIndex> nodes_of(const CoreCounts &allotment) {
    std::vector<NodeIndex> nodes;
    for (const auto &part : allotment)
        nodes.push_back(part.node);
    return nodes;
}

int widest(const WaitingJob &job, Usable nodes) {
    if (nodes.size() < static_cast<std::size_t>(job.min_nodes))
        return 0;
    const int count = job.any_spread ? job.max_nodes : job.min_nodes;
    const auto last = nodes.begin() + std::min(count, static_cast<int>(nodes.size())) - 1;
    std::nth_element(nodes.begin(), last, nodes.end(), emptier);
    if (!job.any_spread)
        return last->cores;
    nodes.erase(last + 1, nodes.end());
    for (NodeCores &part : nodes)
        part.cores -= part.cores % job.cores_per_process;
    return cores_of(nodes);
}

int most_processes(const WaitingJob &job, int width) {
    const std::int64_t most = std::int64_t{width} / job.cores_per_process * parts_of(job);
    return static_cast<int>(std::min<std::int64_t>(most, std::numeric_limits<int>::max()));
}

int most_processes(const WaitingJob &job, const std::vector<Node> &nodes, const Usable &usable,
                   int mpl) {
    std::vector<Slots> there = slots(job, mpl, nodes, usable);
    const auto least_nodes = static_cast<std::size_t>(job.min_nodes);
    if (there.size() < least_nodes)
        return 0;
    if (job.any_spread)
        return static_cast<int>(std::min<std::int64_t>(
            processes_on(static_cast<std::size_t>(job.max_nodes), there), unlimited));
    const std::int64_t most =
        std::int64_t{fit_on_each(least_nodes, std::move(there))} * job.min_nodes;
    return static_cast<int>(std::min<std::int64_t>(most, unlimited));
}

int largest_size(const WaitingJob &job, int processes) {
    return job.sizes.largest_up_to(processes).value_or(job.sizes.smallest());
}

std::optional<Placement> place(const WaitingJob &job, int processes, int mpl,
                               const std::vector<Node> &nodes, const Usable &usable) {
    if (job.resumes_on)
        return has_all(usable, job)
                   ? std::optional(Placement{processes, mpl, *job.resumes_on, job.unfolded})
                   : std::nullopt;
    return placed(job, processes, mpl, nodes,
                  job.virtually_malleable && !job.any_spread
                      ? place_evenly(job, processes, mpl, usable)
                      : place_unevenly(job, processes, mpl, nodes, usable));
}

bool has_room_for(const WaitingJob &job, int processes, int mpl, const std::vector<Node> &nodes,
                  const Usable &usable) {
    if (job.resumes_on || (job.virtually_malleable && !job.any_spread))
        return place(job, processes, mpl, nodes, usable).has_value();
    if (cores_of(usable) < least_cores(job, processes, mpl))
        return false;
    std::vector<Slots> there = slots(job, mpl, nodes, usable);
    return (job.min_nodes == 1 && fullest_for(processes, there)) ||
           has_room_spread(job, processes, there);
}

std::optional<Placement> place_on_one_node(const WaitingJob &job, int processes,
                                           const std::vector<Node> &nodes, const Usable &usable) {
    const int cores = processes * job.cores_per_process;
    const NodeCores *node = fullest(usable, cores, processes);
    return placed(job, processes, 1, nodes, node ? CoreCounts{{node->node, cores}} : CoreCounts{});
}

} // namespace vmall::policy
