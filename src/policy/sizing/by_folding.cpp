// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sizing folding: folding with moldability (thesis s. 5.2, 5.4 and table 5.1, FJT paper s. 2). A
// job takes the cores that are idle; if they are too few for it, the running job that arrived last
// is folded to half of its cores, long or short. Jobs start unfolded, and never grow again.
#include "policy/sizing/sizing.hpp"

#include "policy/folding/folding.hpp"
#include "policy/folding/mpl_steps.hpp"
#include "policy/reasons.hpp"

#include <limits>
#include <vector>

namespace vmall::policy {

namespace {

std::vector<Running *> foldable_jobs(Pass &pass) {
    std::vector<Running *> result;
    for (auto &running : pass.running)
        if (can_resize(running) && shares_nodes(*running.job, pass.head()))
            result.push_back(&running);
    return result;
}

class Folding final : public SizingPolicy {
  public:
    Verdict consider_first(Pass &pass) const override {
        const WaitingJob &first = pass.head();
        const auto placed = [&](const Room &room) {
            const Usable own = usable(first, pass.nodes, room);
            return place_within(pass, first, own, std::numeric_limits<int>::max(), 1);
        };
        if (auto placement = placed(pass.free))
            return *std::move(placement);
        const auto enough = [&](const Room &room) { return placed(room).has_value(); };
        if (enough(pass.free_soon()) ||
            halve_latest(pass, foldable_jobs(pass), pass.settings.max_mpl, enough))
            return waits_for_coming_cores(1);
        return Delay{reasons::cores(first)};
    }

    Growth growth() const override { return Growth::none; }
};

} // namespace

std::unique_ptr<SizingPolicy> make_folding() {
    return std::make_unique<Folding>();
}

} // namespace vmall::policy
