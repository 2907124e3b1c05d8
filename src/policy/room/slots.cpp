// SPDX-License-Identifier: GPL-2.0-or-later
//
// How many processes of a job have room on each node, and its spread over them as there is room.
#include "policy/room/slots.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

namespace vmall::policy {

namespace {

constexpr int unlimited = std::numeric_limits<int>::max();

// An object, not a function, so that what sorts thousands of nodes need not call it.
constexpr auto more = [](const Slots &left, const Slots &right) {
    if (left.processes != right.processes)
        return left.processes > right.processes;
    return left.cores != right.cores ? left.cores > right.cores : left.node < right.node;
};

std::int64_t processes_on(std::vector<Slots>::const_iterator begin,
                          std::vector<Slots>::const_iterator end) {
    return std::accumulate(
        begin, end, std::int64_t{0},
        [](std::int64_t sum, const Slots &node) { return sum + node.processes; });
}

// How many nodes it takes, those first where most fit. There may be thousands, but of few kinds.
std::size_t nodes_needed(int processes, const std::vector<Slots> &nodes) {
    std::map<int, std::int64_t, std::greater<>> nodes_with;
    for (const Slots &node : nodes)
        ++nodes_with[node.processes];
    std::int64_t needed = 0, still_to_place = processes;
    for (auto next = nodes_with.begin(); still_to_place > 0; ++next) {
        const auto [fit, count] = *next;
        const std::int64_t taken = std::min(count, (still_to_place + fit - 1) / fit);
        needed += taken;
        still_to_place -= taken * fit;
    }
    return static_cast<std::size_t>(needed);
}

// Where there is room: on the nodes where most fit, as many as it takes. All but the last are full.
// There may be thousands: they are not put in order.
CoreCounts place_on_fullest(const WaitingJob &job, int processes, std::size_t needed,
                            const std::vector<Slots> &nodes) {
    std::vector<Slots> fullest_first = nodes;
    const auto last = fullest_first.begin() + static_cast<std::ptrdiff_t>(needed - 1);
    std::nth_element(fullest_first.begin(), last, fullest_first.end(), more);
    const int before = static_cast<int>(processes_on(fullest_first.begin(), last));
    CoreCounts parts;
    for (const Slots &node : nodes)
        if (!more(*last, node)) {
            const int here = node.node == last->node ? processes - before : node.processes;
            parts.push_back({node.node, here * job.cores_per_process});
        }
    return parts;
}

// Where fewer nodes would do than the job wants: it has as many, those where most fit, with one
// process on each at least.
CoreCounts place_on_as_many(const WaitingJob &job, int processes, std::vector<Slots> nodes) {
    const auto end = nodes.begin() + job.min_nodes;
    std::partial_sort(nodes.begin(), end, nodes.end(), more);
    CoreCounts parts;
    int still_to_place = processes;
    for (auto node = nodes.begin(); node != end; ++node) {
        const int later_nodes = static_cast<int>(end - node) - 1;
        const int here = std::min(node->processes, still_to_place - later_nodes);
        parts.push_back({node->node, here * job.cores_per_process});
        still_to_place -= here;
    }
    std::sort(parts.begin(), parts.end(),
              [](const NodeCores &left, const NodeCores &right) { return left.node < right.node; });
    return parts;
}

} // namespace

std::vector<Slots> slots(const WaitingJob &job, int mpl, const std::vector<Node> &nodes,
                         const Usable &usable) {
    std::vector<Slots> result;
    result.reserve(usable.size());
    for (std::size_t i = 0; i < usable.size(); i++) {
        const auto [node, cores] = usable[i];
        const std::int64_t folded = std::int64_t{cores / job.cores_per_process} * mpl;
        const int unfolded =
            job.any_spread ? nodes[node.value].cores / job.cores_per_process : unlimited;
        const int with_memory = usable.processes.empty() ? unlimited : usable.processes[i];
        const auto most = std::min<std::int64_t>({folded, unfolded, with_memory});
        if (most > 0)
            result.push_back({node, cores, static_cast<int>(most)});
    }
    return result;
}

const Slots *fullest_for(int processes, const std::vector<Slots> &nodes) {
    const Slots *best = nullptr;
    for (const Slots &node : nodes)
        if (node.processes >= processes &&
            (!best || std::tie(node.cores, node.node) < std::tie(best->cores, best->node)))
            best = &node;
    return best;
}

std::int64_t processes_on(std::size_t most_nodes, const std::vector<Slots> &nodes) {
    if (most_nodes >= nodes.size())
        return processes_on(nodes.begin(), nodes.end());
    std::vector<Slots> fullest_first = nodes;
    const auto end = fullest_first.begin() + static_cast<std::ptrdiff_t>(most_nodes);
    std::nth_element(fullest_first.begin(), end, fullest_first.end(), more);
    return processes_on(fullest_first.begin(), end);
}

int fit_on_each(std::size_t count, std::vector<Slots> nodes) {
    const auto last = nodes.begin() + static_cast<std::ptrdiff_t>(count - 1);
    std::nth_element(nodes.begin(), last, nodes.end(), more);
    return last->processes;
}

bool has_room_spread(const WaitingJob &job, int processes, const std::vector<Slots> &nodes) {
    const auto most_nodes = static_cast<std::size_t>(job.max_nodes);
    return std::min(nodes.size(), most_nodes) >= static_cast<std::size_t>(job.min_nodes) &&
           processes_on(most_nodes, nodes) >= std::max(processes, job.min_nodes);
}

CoreCounts place_spread(const WaitingJob &job, int processes, const std::vector<Slots> &nodes) {
    const int wanted = std::max(processes, job.min_nodes);
    const std::size_t needed = nodes_needed(wanted, nodes);
    return needed < static_cast<std::size_t>(job.min_nodes)
               ? place_on_as_many(job, wanted, nodes)
               : place_on_fullest(job, wanted, needed, nodes);
}

} // namespace vmall::policy
