// SPDX-License-Identifier: GPL-2.0-or-later
//
// Cores by node, and the search for nodes that have enough of them.
#include "policy/room.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <tuple>

namespace vmall::policy {

namespace {

// Those with at least so many cores.
Usable at_least(int cores, const Usable &usable) {
    Usable result;
    std::copy_if(usable.begin(), usable.end(), std::back_inserter(result),
                 [&](const NodeCores &part) { return part.cores >= cores; });
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

// The fullest node with at least so many cores; null: there is none.
const NodeCores *fullest(const Usable &usable, int cores) {
    const NodeCores *best = nullptr;
    for (const auto &part : usable)
        if (part.cores >= cores && (!best || fuller(part, *best)))
            best = &part;
    return best;
}

// Empty: there is no room.
CoreCounts place_evenly(const Usable &usable, int node_count, int cores_per_node) {
    CoreCounts allotment;
    if (node_count == 1) {
        if (const NodeCores *node = fullest(usable, cores_per_node))
            allotment.emplace_back(NodeCores{node->node, cores_per_node});
        return allotment;
    }
    Usable nodes = at_least(cores_per_node, usable);
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
    Usable nodes = at_least(job.cores_per_process, usable);
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
        if (const NodeCores *node = fullest(usable, processes * job.cores_per_process))
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

bool has_all(const Usable &usable, const CoreCounts &wanted) {
    return std::all_of(
        wanted.begin(), wanted.end(),
        [&](const NodeCores &part) {
            return std::any_of(
                usable.begin(), usable.end(),
                [&](const NodeCores &here) {
                    return here.node == part.node && here.cores >= part.cores;
                });
        });
}

} // namespace

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

Room min_of(const Room &left, const Room &right) {
    Room result(left.size());
    std::transform(left.begin(), left.end(), right.begin(), result.begin(),
                   [](int a, int b) { return std::min(a, b); });
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
    for (std::size_t i = 0; i < count; i++) {
        const NodeIndex node =
            all_eligible ? NodeIndex{static_cast<std::uint32_t>(i)} : job.eligible[i];
        const int cores = room[node.value];
        if (cores > 0 && (!job.whole_nodes || cores >= nodes[node.value].cores))
            result.emplace_back(NodeCores{node, cores});
    }
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

int widest(const WaitingJob &job, const Usable &usable) {
    const auto node_count = static_cast<std::size_t>(job.min_nodes);
    if (usable.size() < node_count)
        return 0;
    Usable nodes = usable;
    const auto narrowest = nodes.begin() + static_cast<std::ptrdiff_t>(node_count) - 1;
    std::nth_element(nodes.begin(), narrowest, nodes.end(), emptier);
    return narrowest->cores;
}

int most_processes(const WaitingJob &job, int width) {
    const std::int64_t most = std::int64_t{width} / job.cores_per_process * job.min_nodes;
    return static_cast<int>(std::min<std::int64_t>(most, std::numeric_limits<int>::max()));
}

int largest_size(const WaitingJob &job, int processes) {
    return job.sizes.largest_up_to(processes).value_or(job.sizes.smallest());
}

std::optional<Placement> place(const WaitingJob &job, int processes, int mpl,
                               const std::vector<Node> &nodes, const Usable &usable) {
    if (job.resumes_on) {
        return has_all(usable, *job.resumes_on)
                   ? std::optional(Placement{processes, mpl, *job.resumes_on})
                   : std::nullopt;
    }
    if (job.virtually_malleable) {
        const int width = ceil_div(full_width(job, processes), mpl);
        return placed(job, processes, mpl, nodes, place_evenly(usable, job.min_nodes, width));
    }
    return placed(job, processes, mpl, nodes, place_unevenly(job, processes, usable));
}

std::optional<Placement> place_on_one_node(const WaitingJob &job, int processes,
                                           const std::vector<Node> &nodes, const Usable &usable) {
    const int cores = processes * job.cores_per_process;
    return placed(job, processes, 1, nodes, place_evenly(usable, 1, cores));
}

} // namespace vmall::policy
