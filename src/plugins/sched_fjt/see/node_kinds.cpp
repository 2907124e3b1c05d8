// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the nodes are like that waiting jobs may use.
#include "plugins/sched_fjt/see/node_kinds.hpp"

#include <algorithm>
#include <functional>

namespace vmall::sched {

namespace {

// Of nodes that Slurm's table no longer has, nothing is counted.
NodeKind look_at(const View &view, const policy::NodeSet &nodes) {
    NodeKind kind;
    std::map<int, std::vector<policy::NodeIndex>> by_threads;
    for (const policy::NodeIndex node : nodes) {
        const auto found = view.nodes.find(node.value);
        if (found == view.nodes.end())
            continue;
        const NodeView &here = found->second;
        if (by_threads.empty()) {
            kind.threads_per_core = here.threads_per_core;
            kind.least_memory = here.memory;
        }
        kind.cores += here.cores;
        kind.width = std::max(kind.width, here.cores);
        kind.memory = std::max(kind.memory, here.memory);
        kind.least_memory = std::min(kind.least_memory, here.memory);
        by_threads[here.threads_per_core].push_back(node);
    }
    const auto most = std::max_element(by_threads.begin(), by_threads.end(),
                                       [](const auto &left, const auto &right) {
                                           return left.second.size() < right.second.size();
                                       });
    if (most != by_threads.end()) {
        kind.threads_of_most = most->first;
        kind.fewest_threads = by_threads.begin()->first;
        for (const policy::NodeIndex node : most->second)
            kind.widths_of_most.push_back(view.nodes.at(node.value).cores);
    }
    std::sort(kind.widths_of_most.begin(), kind.widths_of_most.end(), std::greater<>());
    kind.most = by_threads.size() < 2 ? nodes : policy::NodeSet(std::move(most->second));
    return kind;
}

} // namespace

const NodeKind &NodeKinds::of(const policy::NodeSet &nodes) {
    const auto [known, is_new] = known_.try_emplace(nodes.identity());
    if (is_new)
        known->second = look_at(view_, nodes);
    return known->second;
}

} // namespace vmall::sched
