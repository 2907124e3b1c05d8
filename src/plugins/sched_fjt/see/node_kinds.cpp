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
        if (by_threads.empty())
            kind.threads_per_core = found->second.threads_per_core;
        kind.cores += found->second.cores;
        kind.width = std::max(kind.width, found->second.cores);
        kind.memory = std::max(kind.memory, found->second.memory);
        by_threads[found->second.threads_per_core].push_back(node);
    }
    const auto most = std::max_element(by_threads.begin(), by_threads.end(),
                                       [](const auto &left, const auto &right) {
                                           return left.second.size() < right.second.size();
                                       });
    if (most != by_threads.end())
        kind.threads_of_most = most->first;
    if (most != by_threads.end())
        for (const policy::NodeIndex node : most->second)
            kind.widths_of_most.push_back(view.nodes.at(node.value).cores);
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
