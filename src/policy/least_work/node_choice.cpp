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

void take(Claim &claim, Placement placement, Room &room) {
    claim.planned = true;
    claim.mpl = placement.mpl;
    claim.allotment = std::move(placement.allotment);
    claim.unfolded = std::move(placement.unfolded);
    room -= claim.allotment;
    room -= memory_of(claim);
}

} // namespace

NodeChoice::NodeChoice(const Pass &pass, const Claims &claims, const Room &room)
    : pass_(pass), claims_(claims), left_over_(room), last_(room.size(), nobody) {
    for (std::size_t place = 0; place < claims.size(); place++) {
        if (!claims[place].running)
            continue;
        Claim dealt = claims[place];
        grow(dealt, left_over_, dealt.costless);
        if (dealt.mpl < claims[place].mpl)
            for (const NodeCores &part : dealt.allotment)
                last_[part.node.value] = static_cast<int>(place);
    }
}

bool NodeChoice::place(Claim &claim, Room &room, const Room *limit) const {
    return is_foldable(*claim.waiting) ? place_folded(claim, room, limit)
                                       : place_as_it_is(claim, room, limit);
}

bool NodeChoice::place_folded(Claim &claim, Room &room, const Room *limit) const {
    const int deepest = claim.deepest;
    for (int tried = 1; tried <= deepest; tried++) {
        const int mpl = claim.in_front ? deepest + 1 - tried : tried;
        auto placement = place_equally(claim, mpl, room, limit);
        if (!placement && claim.waiting->any_spread)
            placement = place_anyhow(claim, mpl, room, limit);
        if (placement) {
            claim.deepest = deepest_on(*claim.waiting, placement->allotment.size());
            take(claim, *std::move(placement), room);
            return true;
        }
    }
    return false;
}

// On what is left over, if it fits there.
bool NodeChoice::place_as_it_is(Claim &claim, Room &room, const Room *limit) const {
    auto placement = place_on(claim, 1, limit ? min_of(room, *limit) : room);
    if (!placement)
        return false;
    take(claim, *std::move(placement), room);
    return true;
}

std::optional<Placement> NodeChoice::place_equally(const Claim &claim, int mpl, const Room &room,
                                                   const Room *limit) const {
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
std::optional<Placement> NodeChoice::place_anyhow(const Claim &claim, int mpl, const Room &room,
                                                  const Room *limit) const {
    constexpr std::size_t several_nodes = 2;
    const int deepest = deepest_on(*claim.waiting, several_nodes);
    if (mpl > deepest)
        return std::nullopt;
    if (!limit)
        return place_on(claim, mpl, room);
    return place_on(claim, mpl, min_of(room, above_floor(*limit, claim, deepest, mpl)));
}

// Nobody is folded for it if it fits on what is left over.
std::optional<Placement> NodeChoice::place_on(const Claim &claim, int mpl,
                                              const Room &allowed) const {
    const WaitingJob &job = *claim.waiting;
    for (const Room &tried : {min_of(allowed, left_over_), allowed}) {
        const Usable own = usable(job, pass_.nodes, tried);
        if (auto placement = policy::place(job, claim.processes, mpl, pass_.nodes, own))
            return placement;
    }
    return std::nullopt;
}

std::optional<Placement> NodeChoice::choose(const Claim &claim, int nodes, int mpl,
                                            const Room &room, const Room *limit) const {
    const int deepest = deepest_on(*claim.waiting, static_cast<std::size_t>(nodes));
    if (mpl > deepest)
        return std::nullopt;
    const int processes = ceil_div(claim.processes, nodes);
    const int width = processes * claim.cores_per_process;
    const int cores = folded_width(width, claim.cores_per_process, mpl);
    const int floor = folded_width(width, claim.cores_per_process, deepest);
    const std::int64_t memory = processes * claim.waiting->memory_per_process;
    std::vector<Candidate> candidates;
    const Usable own = usable(*claim.waiting, pass_.nodes, room);
    for (std::size_t i = 0; i < own.size(); i++) {
        const NodeCores &part = own[i];
        const std::size_t node = part.node.value;
        if (part.cores < cores || !own.has_memory(i, processes) || !can_hold(claim, node, width))
            continue;
        if (limit && ((*limit)[node] < floor || !has(*limit, {part.node, memory})))
            continue;
        const int last = last_[node];
        if (left_over_[node] >= cores || last == nobody)
            candidates.push_back({0, left_over_[node], part.node});
        else
            candidates.push_back({claims_[last].allotment.size(), -last, part.node});
    }
    if (candidates.size() < static_cast<std::size_t>(nodes))
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
    return deepest_mpl(pass_.settings, job.max_mpl, nodes);
}

std::optional<Placement> place_on_floor(const Pass &pass, const Claim &claim, const Usable &own) {
    const WaitingJob &job = *claim.waiting;
    const auto placement = policy::place(job, claim.processes, claim.deepest, pass.nodes, own);
    if (!placement)
        return placement;
    const int deepest = deepest_mpl(pass.settings, job.max_mpl, placement->allotment.size());
    return deepest < claim.deepest ? policy::place(job, claim.processes, deepest, pass.nodes, own)
                                   : placement;
}

} // namespace vmall::policy::least_work
