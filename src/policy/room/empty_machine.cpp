// SPDX-License-Identifier: GPL-2.0-or-later
//
// The machine when nobody is there.
#include "policy/room/empty_machine.hpp"

#include <algorithm>
#include <limits>

namespace vmall::policy {

EmptyMachine::EmptyMachine(const std::vector<Node> &nodes)
    : nodes_(nodes), room_(empty_machine(nodes)) {}

// On an empty machine jobs with the same nodes can use the same of each.
const EmptyMachine::NodesByProcesses &EmptyMachine::nodes_for(const WaitingJob &job) {
    const bool by_memory = counts_memory(job, room_);
    const Key key(job.eligible.identity(), job.cores_per_process,
                  by_memory ? job.memory_per_process : 0, by_memory ? job.memory_per_node : 0,
                  by_memory && job.virtually_malleable, by_memory && job.whole_nodes);
    const auto [known, is_new] = known_.try_emplace(key);
    if (!is_new)
        return known->second;
    const Usable own = usable_by(job);
    for (std::size_t i = 0; i < own.size(); i++) {
        int processes = own[i].cores / job.cores_per_process;
        if (by_memory)
            processes = std::min(processes, own.processes[i]);
        if (processes > 0)
            known->second[processes]++;
    }
    return known->second;
}

int EmptyMachine::most_processes(const WaitingJob &job) {
    const bool equal_parts = job.virtually_malleable && !job.any_spread;
    const auto least = static_cast<std::size_t>(job.min_nodes);
    std::size_t left = equal_parts ? least : static_cast<std::size_t>(job.max_nodes);
    std::size_t used = 0;
    std::int64_t most = 0;
    for (const auto &[processes, nodes] : nodes_for(job)) {
        const std::size_t here = std::min(nodes, left);
        const auto on = static_cast<std::int64_t>(used += here);
        most = equal_parts ? processes * on : most + processes * static_cast<std::int64_t>(here);
        left -= here;
        if (left == 0)
            break;
    }
    if (used < least)
        return 0;
    return static_cast<int>(std::min<std::int64_t>(most, std::numeric_limits<int>::max()));
}

} // namespace vmall::policy
