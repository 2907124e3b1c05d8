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

void take(Claim &claim, CoreCounts allotment, int mpl, Room &room) {
    claim.planned = true;
    claim.mpl = mpl;
    claim.allotment = std::move(allotment);
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
    const WaitingJob &job = *claim.waiting;
    const int width = claim.width;
    const int deepest = claim.deepest;
    const int most_nodes = std::min(job.max_nodes, 2 * job.min_nodes);
    for (int tried = 1; tried <= deepest; tried++) {
        const int mpl = claim.in_front ? deepest + 1 - tried : tried;
        for (int nodes = job.min_nodes; nodes <= most_nodes; nodes++) {
            if (nodes > job.min_nodes && !divides_evenly(claim.processes, nodes))
                continue;
            claim.width = ceil_div(claim.processes, nodes) * job.cores_per_process;
            claim.deepest =
                deepest_mpl(pass_.settings, job.max_mpl, static_cast<std::size_t>(nodes));
            if (mpl > claim.deepest)
                continue;
            CoreCounts chosen = choose(claim, nodes, cores_at_mpl(claim, mpl), room, limit);
            if (!chosen.empty()) {
                take(claim, std::move(chosen), mpl, room);
                return true;
            }
        }
    }
    claim.width = width;
    claim.deepest = deepest;
    return false;
}

// On what is left over, if it fits there.
bool NodeChoice::place_as_it_is(Claim &claim, Room &room, const Room *limit) const {
    const WaitingJob &job = *claim.waiting;
    const Room allowed = limit ? min_of(room, *limit) : room;
    for (const Room &tried : {min_of(allowed, left_over_), allowed}) {
        const Usable own = usable(job, pass_.nodes, tried);
        if (auto placement = policy::place(job, claim.processes, 1, pass_.nodes, own)) {
            take(claim, std::move(placement->allotment), 1, room);
            return true;
        }
    }
    return false;
}

CoreCounts NodeChoice::choose(const Claim &claim, int nodes, int cores, const Room &room,
                              const Room *limit) const {
    const int floor = cores_at_mpl(claim, claim.deepest);
    const int processes = ceil_div(claim.processes, nodes);
    const std::int64_t memory = processes * claim.waiting->memory_per_process;
    std::vector<Candidate> candidates;
    const Usable own = usable(*claim.waiting, pass_.nodes, room);
    for (std::size_t i = 0; i < own.size(); i++) {
        const NodeCores &part = own[i];
        const std::size_t node = part.node.value;
        if (part.cores < cores || !own.has_memory(i, processes))
            continue;
        if (limit && ((*limit)[node] < floor || !has(*limit, {part.node, memory})))
            continue;
        const int last = last_[node];
        if (left_over_[node] >= cores || last == nobody)
            candidates.push_back({0, left_over_[node], part.node});
        else
            candidates.push_back({claims_[last].allotment.size(), -last, part.node});
    }
    CoreCounts chosen;
    if (candidates.size() < static_cast<std::size_t>(nodes))
        return chosen;
    std::partial_sort(candidates.begin(), candidates.begin() + nodes, candidates.end());
    for (int i = 0; i < nodes; i++)
        chosen.push_back({candidates[i].node, cores});
    std::sort(chosen.begin(), chosen.end(),
              [](const NodeCores &left, const NodeCores &right) { return left.node < right.node; });
    return chosen;
}

} // namespace vmall::policy::least_work
