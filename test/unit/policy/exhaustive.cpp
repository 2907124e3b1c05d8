// SPDX-License-Identifier: GPL-2.0-or-later
//
// What can be placed on a small machine, found by trying everything.
#include "exhaustive.hpp"

#include <algorithm>
#include <numeric>

namespace exhaustive {

using namespace vmall::policy;

namespace {

bool allowed(const WaitingJob &job, const std::vector<NodeIndex> &on, std::uint32_t node) {
    const auto has = [&](const auto &list) {
        return std::find(list.begin(), list.end(), NodeIndex{node}) != list.end();
    };
    return (job.eligible.empty() || has(job.eligible)) && (on.empty() || has(on));
}

// Counts processes by node, then cores: every vector of counts up to what is free.
void try_all(const Cores &most, Cores &chosen, std::vector<Cores> &found) {
    if (chosen.size() == most.size()) {
        found.push_back(chosen);
        return;
    }
    for (int count = 0; count <= most[chosen.size()]; count++) {
        chosen.push_back(count);
        try_all(most, chosen, found);
        chosen.pop_back();
    }
}

} // namespace

std::vector<Cores> placements(const WaitingJob &job, int processes, int cores_per_node,
                              const std::vector<Node> &nodes, const Cores &free,
                              const std::vector<NodeIndex> &on) {
    Cores most;
    const bool even = job.virtually_malleable;
    const int unit = even ? cores_per_node : job.cores_per_process;
    for (std::uint32_t node = 0; node < nodes.size(); node++) {
        const bool shares = !job.whole_nodes && job.company == nodes[node].company;
        const bool usable = allowed(job, on, node) && (shares || free[node] == nodes[node].cores) &&
                            free[node] >= unit;
        most.push_back(!usable ? 0 : even ? 1 : free[node] / unit);
    }
    std::vector<Cores> counts;
    Cores chosen;
    try_all(most, chosen, counts);

    const int least = even ? job.min_nodes : std::max(job.min_nodes, 1);
    const int limit = even                 ? job.min_nodes
                      : job.max_nodes == 0 ? static_cast<int>(nodes.size())
                                           : job.max_nodes;
    const int wanted = even ? job.min_nodes : std::max(processes, job.min_nodes);
    std::vector<Cores> result;
    for (const auto &count : counts) {
        const int used = static_cast<int>(count.size() - std::count(count.begin(), count.end(), 0));
        if (used < least || used > limit ||
            std::accumulate(count.begin(), count.end(), 0) != wanted)
            continue;
        Cores cores;
        for (std::size_t node = 0; node < count.size(); node++) {
            const int here = count[node] * unit;
            cores.push_back(here > 0 && job.whole_nodes ? nodes[node].cores : here);
        }
        result.push_back(cores);
    }
    return result;
}

} // namespace exhaustive
