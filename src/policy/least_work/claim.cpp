// SPDX-License-Identifier: GPL-2.0-or-later
//
// The arithmetic of one job's cores.
#include "policy/least_work/claim.hpp"

#include <algorithm>

namespace vmall::policy::least_work {

bool is_foldable(const WaitingJob &job) {
    return job.virtually_malleable && !job.whole_nodes && !job.resumes_on;
}

int deepest_mpl(const Settings &settings, int own, std::size_t nodes) {
    constexpr int on_several_nodes = 2;
    return std::min({own, settings.max_mpl, nodes > 1 ? on_several_nodes : highest_mpl});
}

CoreCounts at_mpl(const Claim &claim, int mpl) {
    return policy::at_mpl(claim.unfolded, claim.cores_per_process, mpl);
}

CoreCounts floor_of(const Claim &claim) {
    return claim.deepest > 1 ? at_mpl(claim, std::max(claim.deepest, claim.mpl)) : claim.allotment;
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

void grow(Claim &claim, Room &room, int lowest_mpl) {
    for (int mpl = lowest_mpl; mpl < claim.mpl; mpl++) {
        CoreCounts wanted = at_mpl(claim, mpl);
        if (!fits(room, released(wanted, claim.allotment)))
            continue;
        room += claim.allotment;
        room -= wanted;
        claim.allotment = std::move(wanted);
        claim.mpl = mpl;
        return;
    }
}

} // namespace vmall::policy::least_work
