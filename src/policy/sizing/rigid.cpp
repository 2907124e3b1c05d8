// SPDX-License-Identifier: GPL-2.0-or-later
//
// Rigid sizing: every job as large as it can be, or not at all.
#include "policy/sizing/sizing.hpp"

#include "policy/reasons.hpp"

namespace vmall::policy {

namespace {

class Rigid final : public SizingPolicy {
  public:
    Verdict consider_first(Pass &pass) const override { return place_rigidly(pass, pass.head()); }
    bool is_moldable() const override { return false; }
};

} // namespace

Verdict place_rigidly(const Pass &pass, const WaitingJob &job) {
    auto placement =
        place(job, job.sizes.largest(), 1, pass.nodes, usable(job, pass.nodes, pass.free));
    if (placement)
        return *std::move(placement);
    return Delay{reasons::cores(job)};
}

std::unique_ptr<SizingPolicy> make_rigid() {
    return std::make_unique<Rigid>();
}

} // namespace vmall::policy
