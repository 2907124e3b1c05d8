// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where a waiting job goes.
#include "policy/least_work/node_choice.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace vmall::policy::least_work {

namespace {

constexpr int nobody = -1;

struct Candidate {
    std::size_t spread; // nodes of who is to be folded; 0: nobody is
    int rank;
    NodeIndex node;

    friend bool operator<(const Candidate &left, const Candidate &right) {
        return std::tie(left.spread, left.rank, left.node) <
               std::tie(right.spread, right.rank, right.node);
    }
};

// Equally many processes on each node: no core is of no use.
bool divides_evenly(int processes, int nodes) {
    return processes % nodes == 0;
}

// Cores at an MPL of a job that has as many on its floor as there are in `limit`.
Room above_floor(const Room &limit, const Claim &claim, int deepest, int mpl) {
    Room room = limit;
    for (int &cores : room)
        cores = cores / claim.cores_per_process * deepest / mpl * claim.cores_per_process;
    return room;
}

} // namespace

NodeChoice::NodeChoice(const Pass &pass, const Claims &claims, const TalliedRoom &left_over)
    : pass_(pass), claims_(claims), left_over_(left_over), last_(pass.nodes.size(), nobody) {
    for (std::size_t index = 0; index < claims.size(); index++) {
        const Claim &claim = claims[index];
        if (claim.running && claim.alone != claim.allotment)
            for (const NodeCores &part : claim.allotment)
                last_[part.node.value] = static_cast<int>(index);
    }
}

std::optional<Placement> NodeChoice::find(const Claim &claim, const TalliedRoom &room,
                                          const TalliedRoom *limit) const {
    return is_foldable(*claim.waiting) ? find_folded(claim, room, limit)
                                       : find_as_it_is(claim, room, limit);
}

std::optional<Placement> NodeChoice::find_folded(const Claim &claim, const TalliedRoom &room,
                                                 const TalliedRoom *limit) const {
    for (int tried = 1; tried <= claim.deepest; tried++) {
        const int mpl = claim.in_front ? claim.deepest + 1 - tried : tried;
        auto placement = place_equally(claim, mpl, room, limit);
        if (!placement && claim.waiting->any_spread)
            placement = place_anyhow(claim, mpl, room, limit);
        if (placement)
            return placement;
    }
    return std::nullopt;
}

// On what is left over, if it fits there.
std::optional<Placement> NodeChoice::find_as_it_is(const Claim &claim, const TalliedRoom &room,
                                                   const TalliedRoom *limit) const {
    const int least = least_cores(*claim.waiting, claim.processes, 1);
    if (room.cores() < least || (limit && limit->cores() < least))
        return std::nullopt;
    return place_on(claim, 1, limit ? min_of(room.room(), limit->room()) : room.room());
}

std::optional<Placement> NodeChoice::place_equally(const Claim &claim, int mpl,
                                                   const TalliedRoom &room,
                                                   const TalliedRoom *limit) const {
    const WaitingJob &job = *claim.waiting;
    const int most_nodes = job.any_spread ? 1 : std::min(job.max_nodes, 2 * job.min_nodes);
    for (int nodes = job.min_nodes; nodes <= most_nodes; nodes++) {
        if (nodes > job.min_nodes && !divides_evenly(claim.processes, nodes))
            continue;
        if (auto placement = choose(claim, nodes, mpl, room, limit))
            return placement;
    }
    return std::nullopt;
}

// On the nodes where most of it fits.
std::optional<Placement> NodeChoice::place_anyhow(const Claim &claim, int mpl,
                                                  const TalliedRoom &room,
                                                  const TalliedRoom *limit) const {
    constexpr std::size_t several_nodes = 2;
    const WaitingJob &job = *claim.waiting;
    const int deepest = deepest_on(job, several_nodes);
    const auto least = [&](int at) { return least_cores(job, claim.processes, at); };
    if (mpl > deepest || room.cores() < least(mpl) || (limit && limit->cores() < least(deepest)))
        return std::nullopt;
    if (!limit)
        return place_on(claim, mpl, room.room());
    return place_on(claim, mpl,
                    min_of(room.room(), above_floor(limit->room(), claim, deepest, mpl)));
}

// Nobody is folded for it if it fits on what is left over.
std::optional<Placement> NodeChoice::place_on(const Claim &claim, int mpl,
                                              const Room &allowed) const {
    const WaitingJob &job = *claim.waiting;
    const int least = least_cores(job, claim.processes, mpl);
    const auto place_in = [&](const Usable &own) {
        return policy::place(job, claim.processes, mpl, pass_.nodes, own);
    };
    const Usable own = usable(job, pass_.nodes, allowed);
    if (cores_of(own) < least)
        return std::nullopt;
    if (left_over_.cores() >= least) {
        const Room left = min_of(allowed, left_over_.room());
        if (auto placement = place_in(usable(job, pass_.nodes, left)))
            return placement;
    }
    return place_in(own);
}

std::optional<Placement> NodeChoice::choose(const Claim &claim, int nodes, int mpl,
                                            const TalliedRoom &room,
                                            const TalliedRoom *limit) const {
    const int deepest = deepest_on(*claim.waiting, static_cast<std::size_t>(nodes));
    if (mpl > deepest)
        return std::nullopt;
    const int processes = ceil_div(claim.processes, nodes);
    const int width = processes * claim.cores_per_process;
    const int cores = folded_width(width, claim.cores_per_process, mpl);
    const int floor = folded_width(width, claim.cores_per_process, deepest);
    const std::int64_t memory = memory_for(*claim.waiting, processes);
    const auto needed = static_cast<std::size_t>(nodes);
    if (!room.has(needed, cores) || (limit && !limit->has(needed, floor)))
        return std::nullopt;
    std::vector<Candidate> candidates;
    const Usable own = usable(*claim.waiting, pass_.nodes, room.room());
    for (std::size_t i = 0; i < own.size(); i++) {
        const NodeCores &part = own[i];
        const std::size_t node = part.node.value;
        if (part.cores < cores || !own.has_memory(i, processes) || !can_hold(claim, node, width))
            continue;
        if (limit && (limit->room()[node] < floor || !has(limit->room(), {part.node, memory})))
            continue;
        const int last = last_[node];
        const int left_over = left_over_.room()[node];
        if (left_over >= cores || last == nobody)
            candidates.push_back({0, left_over, part.node});
        else
            candidates.push_back({claims_[last].allotment.size(), -last, part.node});
    }
    if (candidates.size() < needed)
        return std::nullopt;
    std::partial_sort(candidates.begin(), candidates.begin() + nodes, candidates.end());
    CoreCounts unfolded;
    for (int i = 0; i < nodes; i++)
        unfolded.push_back({candidates[i].node, width});
    std::sort(unfolded.begin(), unfolded.end(),
              [](const NodeCores &left, const NodeCores &right) { return left.node < right.node; });
    return Placement{claim.processes, mpl, policy::at_mpl(unfolded, claim.cores_per_process, mpl),
                     unfolded};
}

// Where it goes just because there is room it must be possible to unfold it.
bool NodeChoice::can_hold(const Claim &claim, std::size_t node, int width) const {
    return !claim.waiting->any_spread || pass_.nodes[node].cores >= width;
}

int NodeChoice::deepest_on(const WaitingJob &job, std::size_t nodes) const {
    return deepest_mpl(pass_, job, nodes);
}

std::optional<Placement> place_on_floor(const Pass &pass, const Claim &claim, const Usable &own) {
    const WaitingJob &job = *claim.waiting;
    const auto placement = policy::place(job, claim.processes, claim.deepest, pass.nodes, own);
    if (!placement)
        return placement;
    const int deepest = deepest_mpl(pass, job, placement->allotment.size());
    return deepest < claim.deepest ? policy::place(job, claim.processes, deepest, pass.nodes, own)
                                   : placement;
}

} // namespace vmall::policy::least_work
