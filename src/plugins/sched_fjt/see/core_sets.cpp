// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sets are by node; the cores of a node ascend.
#include "plugins/sched_fjt/see/core_sets.hpp"

#include <algorithm>
#include <iterator>

namespace vmall::sched {

std::size_t core_count(const CoreSets &cores) {
    std::size_t sum = 0;
    for (const auto &[node, set] : cores)
        sum += set.size();
    return sum;
}

policy::CoreCounts counts(const CoreSets &cores) {
    policy::CoreCounts allotment;
    for (const auto &[node, set] : cores)
        allotment.push_back({{node}, static_cast<int>(set.size())});
    return allotment;
}

cores::Cores without(const cores::Cores &from, const cores::Cores &taken) {
    cores::Cores rest;
    std::set_difference(from.begin(), from.end(), taken.begin(), taken.end(),
                        std::back_inserter(rest));
    return rest;
}

std::size_t wanted_on(const policy::CoreCounts &target, NodeNumber node) {
    for (const policy::NodeCores &here : target)
        if (here.node.value == node)
            return static_cast<std::size_t>(std::max(0, here.cores));
    return 0;
}

CoreSets kept_cores(const View &view, const JobView &job, const policy::CoreCounts &target) {
    CoreSets kept;
    for (const auto &[node, held] : job.cores)
        kept[node] = cores::keep(held, view.nodes.at(node).cores_per_socket,
                                 std::max<std::size_t>(1, wanted_on(target, node)));
    return kept;
}

std::vector<vmall_node_cores> for_slurm(const CoreSets &cores) {
    std::vector<vmall_node_cores> result;
    for (const auto &[node, set] : cores)
        result.push_back({node, set.data(), static_cast<std::uint32_t>(set.size())});
    return result;
}

int mpl_of(const JobView &job, const CoreSets &cores) {
    return mpl_on(job, counts(cores));
}

} // namespace vmall::sched
