// SPDX-License-Identifier: GPL-2.0-or-later
//
// Window policy shrink: fold the job that has outstayed its window (backfilling with malleability).
#include "policy/window/window.hpp"

#include "policy/folding/folding.hpp"

#include <algorithm>

namespace vmall::policy {

namespace {

class Shrink final : public ExpiryPolicy {
  public:
    CoreCounts kept(const Pass &pass, const RunningJob &job) const override {
        return folded_to(job, pass.settings.window_mpl);
    }
    void expire(Pass &pass, Running &running) const override {
        pass.fold(running, kept(pass, *running.job), Cause::window);
    }
    int fold_factor(const Pass &pass, const WaitingJob &job) const override {
        return std::min(pass.settings.window_mpl, job.max_mpl);
    }
    bool acts(const Pass &pass) const override { return pass.settings.window_mpl > 1; }
    bool acts_on(const Pass &pass, const WaitingJob &job) const override {
        return fold_factor(pass, job) > 1;
    }
};

} // namespace

std::unique_ptr<ExpiryPolicy> make_shrink() {
    return std::make_unique<Shrink>();
}

} // namespace vmall::policy
