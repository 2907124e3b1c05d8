// SPDX-License-Identifier: GPL-2.0-or-later
//
// Cores by node, and the search for nodes that have enough of them.
#include "policy/room.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace vmall::policy {

namespace {

// The nodes with at least `cores` usable cores, ordered by their room, then by index.
template <class Order>
std::vector<std::uint32_t> nodes_by_room(const Room &room, int cores, Order order) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t node = 0; node < room.size(); node++) {
        if (room[node] >= cores) {
            result.push_back(node);
        }
    }
    std::stable_sort(result.begin(), result.end(),
                     [&](auto left, auto right) { return order(room[left], room[right]); });
    return result;
}

Allotment in_node_order(Allotment allotment) {
    std::sort(allotment.begin(), allotment.end(),
              [](const NodeCores &left, const NodeCores &right) { return left.node < right.node; });
    return allotment;
}

std::optional<Allotment> place_evenly(const Room &room, int node_count, int cores_per_node) {
    const auto order = nodes_by_room(room, cores_per_node, std::less<>());
    if (order.size() < static_cast<std::size_t>(node_count)) {
        return std::nullopt;
    }
    Allotment allotment;
    for (int i = 0; i < node_count; i++) {
        allotment.push_back({NodeIndex{order[i]}, cores_per_node});
    }
    return in_node_order(std::move(allotment));
}

// At least one process on each node, from the emptiest node on.
std::optional<Allotment> place_spread(const WaitingJob &job, int processes, const Room &room) {
    const auto order = nodes_by_room(room, job.cores_per_process, std::greater<>());
    const auto most_nodes = std::min<std::size_t>(job.max_nodes, order.size());
    int still_to_place = std::max(processes, job.min_nodes);
    Allotment allotment;
    for (std::size_t i = 0; i < most_nodes && still_to_place > 0; i++) {
        const int later_nodes = std::max(job.min_nodes - static_cast<int>(i) - 1, 0);
        const int here = std::min(room[order[i]] / job.cores_per_process,
                                  std::max(still_to_place - later_nodes, 1));
        allotment.push_back({NodeIndex{order[i]}, here * job.cores_per_process});
        still_to_place -= here;
    }
    if (still_to_place > 0 || allotment.size() < static_cast<std::size_t>(job.min_nodes)) {
        return std::nullopt;
    }
    return in_node_order(std::move(allotment));
}

} // namespace

Room &operator+=(Room &room, const Allotment &added) {
    for (const auto &part : added) {
        room[part.node.value] += part.cores;
    }
    return room;
}

Room &operator-=(Room &room, const Allotment &taken) {
    for (const auto &part : taken) {
        room[part.node.value] -= part.cores;
    }
    return room;
}

Room min_of(const Room &left, const Room &right) {
    Room result(left.size());
    std::transform(left.begin(), left.end(), right.begin(), result.begin(),
                   [](int a, int b) { return std::min(a, b); });
    return result;
}

Allotment released(const Allotment &before, const Allotment &after) {
    Allotment result;
    for (const auto &part : before) {
        const auto kept = std::find_if(after.begin(), after.end(), [&](const NodeCores &other) {
            return other.node == part.node;
        });
        const int cores = part.cores - (kept == after.end() ? 0 : kept->cores);
        if (cores > 0) {
            result.push_back({part.node, cores});
        }
    }
    return result;
}

Room usable(const WaitingJob &job, const std::vector<Node> &nodes, const Room &room) {
    Room result(room.size(), job.eligible.empty() ? 1 : 0);
    for (const auto node : job.eligible) {
        result[node.value] = 1;
    }
    for (std::size_t node = 0; node < room.size(); node++) {
        const bool enough = !job.whole_nodes || room[node] >= nodes[node].cores;
        result[node] = result[node] && enough ? std::max(room[node], 0) : 0;
    }
    return result;
}

int full_width(const WaitingJob &job, int processes) {
    return ceil_div(processes, job.min_nodes) * job.cores_per_process;
}

int widest(const WaitingJob &job, const Room &usable_room) {
    const auto node_count = static_cast<std::size_t>(job.min_nodes);
    if (usable_room.size() < node_count) {
        return 0;
    }
    Room room = usable_room;
    const auto narrowest = room.begin() + static_cast<std::ptrdiff_t>(node_count) - 1;
    std::nth_element(room.begin(), narrowest, room.end(), std::greater<>());
    return *narrowest;
}

int most_processes(const WaitingJob &job, int width) {
    const std::int64_t most = std::int64_t{width} / job.cores_per_process * job.min_nodes;
    return static_cast<int>(std::min<std::int64_t>(most, std::numeric_limits<int>::max()));
}

int largest_size(const WaitingJob &job, int processes) {
    const auto above = std::upper_bound(job.sizes.begin(), job.sizes.end(), processes);
    return above == job.sizes.begin() ? job.sizes.front() : *(above - 1);
}

std::optional<Placement> place(const WaitingJob &job, int processes, int mpl,
                               const std::vector<Node> &nodes, const Room &usable_room) {
    std::optional<Allotment> allotment;
    if (job.virtually_malleable) {
        const int width = ceil_div(full_width(job, processes), mpl);
        allotment = place_evenly(usable_room, job.min_nodes, width);
    } else if (job.min_nodes == 1) {
        allotment = place_evenly(usable_room, 1, processes * job.cores_per_process);
    }
    if (!allotment && !job.virtually_malleable) {
        allotment = place_spread(job, processes, usable_room);
    }
    if (!allotment) {
        return std::nullopt;
    }
    if (job.whole_nodes) {
        for (auto &part : *allotment) {
            part.cores = nodes[part.node.value].cores;
        }
    }
    return Placement{processes, mpl, std::move(*allotment)};
}

} // namespace vmall::policy
