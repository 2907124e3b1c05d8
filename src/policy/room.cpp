// SPDX-License-Identifier: GPL-2.0-or-later
//
// Cores and memory by node, and the search for nodes that have enough of them.
#include "policy/room.hpp"

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

bool in_node_order(const NodeCores &left, const NodeCores &right) {
    return left.node < right.node;
}

bool fuller(const NodeCores &left, const NodeCores &right) {
    return std::tie(left.cores, left.node) < std::tie(right.cores, right.node);
}

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

// Empty: there is no room.
CoreCounts place_evenly(const Usable &usable, int node_count, int cores_per_node,
                        int processes_per_node) {
    CoreCounts allotment;
    if (node_count == 1) {
        if (const NodeCores *node = fullest(usable, cores_per_node, processes_per_node))
            allotment.emplace_back(NodeCores{node->node, cores_per_node});
        return allotment;
    }
    Usable nodes = at_least(cores_per_node, processes_per_node, usable);
    if (nodes.size() < static_cast<std::size_t>(node_count))
        return allotment;
    std::partial_sort(nodes.begin(), nodes.begin() + node_count, nodes.end(), fuller);
    for (int i = 0; i < node_count; i++)
        allotment.push_back({nodes[i].node, cores_per_node});
    std::sort(allotment.begin(), allotment.end(), in_node_order);
    return allotment;
}

// At least one process on each node, from the emptiest node on. Empty: there is no room.
CoreCounts place_spread(const WaitingJob &job, int processes, const Usable &usable) {
    CoreCounts allotment;
    if (cores_of(usable) < processes * job.cores_per_process)
        return allotment;
    // Few of many nodes are needed: a heap, not all of them in order.
    Usable nodes = at_least(job.cores_per_process, 1, usable);
    const auto top_is_emptiest = [](const NodeCores &left, const NodeCores &right) {
        return emptier(right, left);
    };
    std::make_heap(nodes.begin(), nodes.end(), top_is_emptiest);
    const auto most_nodes = static_cast<std::size_t>(job.max_nodes);
    int still_to_place = std::max(processes, job.min_nodes);
    while (allotment.size() < most_nodes && !nodes.empty() && still_to_place > 0) {
        std::pop_heap(nodes.begin(), nodes.end(), top_is_emptiest);
        const int later_nodes = std::max(job.min_nodes - static_cast<int>(allotment.size()) - 1, 0);
        const int here = std::min(nodes.back().cores / job.cores_per_process,
                                  std::max(still_to_place - later_nodes, 1));
        allotment.push_back({nodes.back().node, here * job.cores_per_process});
        nodes.pop_back();
        still_to_place -= here;
    }
    if (still_to_place > 0 || allotment.size() < static_cast<std::size_t>(job.min_nodes))
        allotment.clear();
    std::sort(allotment.begin(), allotment.end(), in_node_order);
    return allotment;
}

// The same, on one node if that is possible.
CoreCounts place_unevenly(const WaitingJob &job, int processes, const Usable &usable) {
    if (job.min_nodes == 1) {
        if (const NodeCores *node = fullest(usable, processes * job.cores_per_process, processes))
            return {{node->node, processes * job.cores_per_process}};
    }
    return place_spread(job, processes, usable);
}

std::optional<Placement> placed(const WaitingJob &job, int processes, int mpl,
                                const std::vector<Node> &nodes, CoreCounts allotment) {
    std::optional<Placement> placement;
    if (allotment.empty())
        return placement;
    for (auto &part : allotment)
        part.cores = job.whole_nodes ? nodes[part.node.value].cores : part.cores;
    placement.emplace();
    placement->processes = processes;
    placement->mpl = mpl;
    placement->allotment = std::move(allotment);
    return placement;
}

bool has(const Usable &usable, const NodeCores &wanted, int processes) {
    for (std::size_t i = 0; i < usable.size(); i++)
        if (usable[i].node == wanted.node)
            return usable[i].cores >= wanted.cores && usable.has_memory(i, processes);
    return false;
}

bool has_all(const Usable &usable, const CoreCounts &wanted, int processes_per_node) {
    return std::all_of(
        wanted.begin(), wanted.end(),
        [&](const NodeCores &part) { return has(usable, part, processes_per_node); });
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
    return static_cast<int>(
        std::clamp<std::int64_t>(room.memory[node.value] / job.memory_per_process, 0, unlimited));
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

MemoryCounts memory_on(const CoreCounts &allotment, const Processes &processes) {
    const int nodes = std::max(static_cast<int>(allotment.size()), 1);
    MemoryCounts result;
    for (const NodeCores &part : allotment) {
        const int here = processes.evenly ? ceil_div(processes.count, nodes)
                                          : ceil_div(part.cores, processes.cores_of_each);
        result.push_back({part.node, here * processes.memory_of_each});
    }
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
    for (const auto &part : before) {
        const auto kept = std::find_if(after.begin(), after.end(), [&](const NodeCores &other) {
            return other.node == part.node;
        });
        const int cores = part.cores - (kept == after.end() ? 0 : kept->cores);
        if (cores > 0)
            result.push_back({part.node, cores});
    }
    return result;
}

Usable usable(const WaitingJob &job, const std::vector<Node> &nodes, const Room &room) {
    Usable result;
    const bool all_eligible = job.eligible.empty();
    const std::size_t count = all_eligible ? room.size() : job.eligible.size();
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
    const auto node_count = static_cast<std::size_t>(job.min_nodes);
    if (nodes.size() < node_count)
        return 0;
    const auto narrowest = nodes.begin() + static_cast<std::ptrdiff_t>(node_count) - 1;
    std::nth_element(nodes.begin(), narrowest, nodes.end(), emptier);
    return narrowest->cores;
}

int most_processes(const WaitingJob &job, int width) {
    const std::int64_t most = std::int64_t{width} / job.cores_per_process * job.min_nodes;
    return static_cast<int>(std::min<std::int64_t>(most, std::numeric_limits<int>::max()));
}

int most_processes(const WaitingJob &job, Usable nodes, int mpl) {
    for (std::size_t i = 0; i < nodes.size(); i++) { // as if it ran unfolded on cores for as many
        const int whole_places = nodes[i].cores / job.cores_per_process * job.cores_per_process;
        const std::int64_t unfolded = std::int64_t{whole_places} * mpl;
        const std::int64_t memory = nodes.processes.empty()
                                        ? unlimited
                                        : std::int64_t{nodes.processes[i]} * job.cores_per_process;
        nodes[i].cores = static_cast<int>(std::min({unfolded, memory, std::int64_t{unlimited}}));
    }
    return most_processes(job, widest(job, std::move(nodes)));
}

int largest_size(const WaitingJob &job, int processes) {
    return job.sizes.largest_up_to(processes).value_or(job.sizes.smallest());
}

std::optional<Placement> place(const WaitingJob &job, int processes, int mpl,
                               const std::vector<Node> &nodes, const Usable &usable) {
    if (job.resumes_on) {
        return has_all(usable, *job.resumes_on,
                       job.virtually_malleable ? ceil_div(processes, job.min_nodes) : 0)
                   ? std::optional(Placement{processes, mpl, *job.resumes_on})
                   : std::nullopt;
    }
    if (job.virtually_malleable) {
        const int width = full_width(job, processes, mpl);
        return placed(
            job, processes, mpl, nodes,
            place_evenly(usable, job.min_nodes, width, ceil_div(processes, job.min_nodes)));
    }
    return placed(job, processes, mpl, nodes, place_unevenly(job, processes, usable));
}

std::optional<Placement> place_on_one_node(const WaitingJob &job, int processes,
                                           const std::vector<Node> &nodes, const Usable &usable) {
    const int cores = processes * job.cores_per_process;
    return placed(job, processes, 1, nodes, place_evenly(usable, 1, cores, processes));
}

} // namespace vmall::policy
