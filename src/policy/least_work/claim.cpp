// SPDX-License-Identifier: GPL-2.0-or-later
//
// The arithmetic of one job's cores.
#include "policy/least_work/claim.hpp"

#include <algorithm>

namespace vmall::policy::least_work {

namespace {

// Most often it takes one node to see that there is no room.
bool has_room_at(const Claim &claim, int mpl, const Room &room) {
    FoldedWidth width(claim.cores_per_process, mpl);
    for (std::size_t i = 0; i < claim.unfolded.size(); i++) {
        const auto [node, unfolded] = claim.unfolded[i];
        const int more = width.of(unfolded) - claim.allotment[i].cores;
        if (more > 0 && room[node.value] < more)
            return false;
    }
    return true;
}

// On one node there is more often somebody who needs less memory than the mean.
int deepest_mpl(const Pass &pass, int own, std::size_t nodes, double memory_per_core) {
    const bool in_vain = pass.folding_is_dear ||
                         (nodes > 1 && !pass.memory_per_core.is_left_beside(memory_per_core));
    return std::min({own, pass.settings.max_mpl, least_work::deepest_mpl(nodes, in_vain)});
}

} // namespace

bool is_foldable(const WaitingJob &job) {
    return job.virtually_malleable && !job.whole_nodes && !job.resumes_on;
}

bool can_be_folded_on(const std::vector<Node> &nodes, const WaitingJob &job) {
    return is_foldable(job) && job.sizes.largest() > 1 &&
           std::any_of(
               nodes.begin(), nodes.end(),
               [&](const Node &node) { return node.cores >= 2 * job.cores_per_process; });
}

int deepest_mpl(std::size_t nodes, bool in_vain) {
    constexpr int on_several_nodes = 2;
    if (in_vain)
        return 1;
    return nodes > 1 ? on_several_nodes : highest_mpl;
}

int deepest_mpl(const Pass &pass, const WaitingJob &job, std::size_t nodes) {
    return deepest_mpl(pass, job.max_mpl, nodes, memory_per_core(job, nodes));
}

int deepest_mpl(const Pass &pass, const RunningJob &job) {
    return deepest_mpl(pass, job.max_mpl, job.allotment.size(), memory_per_core(job));
}

CoreCounts at_mpl(const Claim &claim, int mpl) {
    return policy::at_mpl(claim.unfolded, claim.cores_per_process, mpl);
}

CoreCounts floor_of(const Claim &claim) {
    return claim.deepest > 1 ? at_mpl(claim, std::max(claim.deepest, claim.mpl)) : claim.allotment;
}

int cores_on_floor(const Claim &claim) {
    if (claim.deepest <= 1)
        return cores_of(claim.allotment);
    FoldedWidth width(claim.cores_per_process, std::max(claim.deepest, claim.mpl));
    int cores = 0;
    for (const NodeCores &part : claim.unfolded)
        cores += width.of(part.cores);
    return cores;
}

MemoryCounts memory_of(const Claim &claim) {
    return claim.running ? policy::memory_of(*claim.running->job)
                         : policy::memory_of(*claim.waiting, claim.unfolded);
}

bool fits(const Room &room, const CoreCounts &cores) {
    return std::all_of(
        cores.begin(), cores.end(),
        [&](const NodeCores &part) { return room[part.node.value] >= part.cores; });
}

int costless_mpl(int useful_percent) {
    constexpr int with_what_is_lost = 105;
    return std::max(1, with_what_is_lost / useful_percent);
}

int mpl_with_room(const Claim &claim, const Room &room, int lowest_mpl) {
    int mpl = lowest_mpl;
    while (mpl < claim.mpl && !has_room_at(claim, mpl, room))
        mpl++;
    return std::min(mpl, claim.mpl);
}

} // namespace vmall::policy::least_work
