// SPDX-License-Identifier: GPL-2.0-or-later
//
// ASP60: adaptive static partitioning with a maximum (thesis s. 5.2 and table 5.1, FJT
// paper s. 2). A job takes the cores that are idle, as far as it has use for them and they are not
// more than a fixed part of the machine; so the first of a burst leaves something to the next.
#include "experiments/policy/sizings.hpp"

#include "policy/reasons.hpp"

#include <cstdint>

namespace vmall::policy::papers {

namespace {

constexpr int percent = 60; // of the cores for one job; thesis s. 5.4: the best

class AspMax final : public SizingPolicy {
  public:
    Verdict consider_first(Pass &pass) const override {
        const WaitingJob &first = pass.head();
        const Usable own = usable(first, pass.nodes, pass.free);
        if (auto placement = place_within(pass, first, own, maximum(pass, first), 1))
            return *std::move(placement);
        return Delay{reasons::cores(first)};
    }

  private:
    // Of the machine as the job sees it.
    static int maximum(const Pass &pass, const WaitingJob &job) {
        const std::int64_t cores = cores_of(usable(job, pass.nodes, room_of_all(pass)));
        return static_cast<int>(cores * percent / 100);
    }
};

} // namespace

std::unique_ptr<SizingPolicy> make_asp60() {
    return std::make_unique<AspMax>();
}

} // namespace vmall::policy::papers
