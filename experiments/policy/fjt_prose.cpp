// SPDX-License-Identifier: GPL-2.0-or-later
//
// FJT as the prose of Utrera's thesis has it (s. 5.3), where that and figure 5.5 disagree: a long
// job starts beside short ones that run, folded, for these are going to end; unless a folded job is
// to grow first.
#include "experiments/policy/sizings.hpp"

#include "policy/sizing/fjt.hpp"

namespace vmall::policy::papers {

namespace {

class FjtProse final : public Fjt {
    bool waits_for_short_jobs(const Circumstances &) const override { return false; }

    bool can_grow_later(const Circumstances &around) const override {
        return !around.other_long_queued || (around.short_running && !around.long_folded);
    }
};

} // namespace

std::unique_ptr<SizingPolicy> make_fjt_prose() {
    return std::make_unique<FjtProse>();
}

} // namespace vmall::policy::papers
