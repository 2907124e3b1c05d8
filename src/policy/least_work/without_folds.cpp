// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether it pays that somebody is folded for a waiting job.
#include "policy/least_work/without_folds.hpp"

#include "policy/folding/folding.hpp"
#include "policy/least_work/order.hpp"

#include <algorithm>
#include <utility>

namespace vmall::policy::least_work {

namespace {

// Of the time of cores on which work is done folded, or by which others are folded meanwhile: what
// nobody has.
double lost_by_folding(const Pass &pass, double work) {
    return work * (pass.folding_cost - 100) / 100;
}

// On one node it grows soon; on several that takes room on all of them.
double lost_by_itself(const Pass &pass, const Claim &claim, const Placement &placement) {
    const auto left = static_cast<double>(claim.left);
    if (placement.mpl == 1)
        return 0;
    return placement.allotment.size() > 1 ? left * placement.mpl * pass.folding_cost / 100 - left
                                          : lost_by_folding(pass, left);
}

// In the mean, by who waits: half of them stand before it or would not have had the cores.
double lost_by_others(const Pass &pass, const Claim &claim, const Placement &placement,
                      bool others_are_folded, int machine) {
    const double work = static_cast<double>(claim.left) * cores_of(placement.unfolded);
    const int folds = (others_are_folded ? 1 : 0) + (placement.mpl > 1 ? 1 : 0);
    return lost_by_folding(pass, work) * folds / std::max(machine, 1) *
           static_cast<double>(pass.queue.size()) / 2;
}

} // namespace

WithoutFolds::WithoutFolds(const Pass &pass, const Claims &claims, TalliedRoom left_over)
    : pass_(pass), room_(std::move(left_over)) {
    for (const Claim &claim : claims)
        if (claim.running)
            ends_.add(later(pass.now, claim.left), claim.alone, memory_of(claim));
    for (const Running &running : pass.running)
        if (!running.ending && !can_resize(running))
            ends_.add(expected_end(pass, running), allotment_to_come(running),
                      policy::memory_of(*running.job));
    for (const Node &node : pass.nodes)
        cores_ += node.cores;
}

void WithoutFolds::take(const Claim &claim) {
    CoreCounts taken = claim.allotment;
    for (NodeCores &part : taken)
        part.cores = std::clamp(room_.room()[part.node.value], 0, part.cores);
    room_ -= taken;
    room_ -= memory_of(claim);
}

bool WithoutFolds::has(const Placement &placement) const {
    return placement.mpl == 1 && fits(room_.room(), placement.allotment);
}

bool WithoutFolds::starts_by(const Claim &claim, Seconds time) const {
    const WaitingJob &job = *claim.waiting;
    return ends_.fits_by(time, least_cores(job, claim.processes, 1), room_.room(),
                         [&](const Room &then) {
                             return has_room_for(job, claim.processes, 1, pass_.nodes,
                                                 usable(job, pass_.nodes, then));
                         });
}

bool WithoutFolds::folding_pays(const Claim &claim, const Placement &placement) const {
    if (!says_how_long(claim.waiting->estimate))
        return true;
    constexpr double centuries = 1e10;
    const bool others_are_folded = !fits(room_.room(), placement.allotment);
    const double lost = lost_by_itself(pass_, claim, placement) +
                        lost_by_others(pass_, claim, placement, others_are_folded, cores_);
    return !starts_by(claim, later(pass_.now, static_cast<Seconds>(std::min(lost, centuries))));
}

} // namespace vmall::policy::least_work
