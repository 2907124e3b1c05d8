// SPDX-License-Identifier: GPL-2.0-or-later
//
// Window policy keep: an expired window changes nothing, as in EASY.
#include "policy/window/window.hpp"

namespace vmall::policy {

namespace {

class Keep final : public ExpiryPolicy {
  public:
    CoreCounts kept(const Pass &, const RunningJob &job) const override { return job.allotment; }
    void expire(Pass &, Running &) const override {}
    int fold_factor(const Pass &, const WaitingJob &) const override { return 1; }
    bool acts(const Pass &) const override { return false; }
};

} // namespace

std::unique_ptr<ExpiryPolicy> make_keep() {
    return std::make_unique<Keep>();
}

} // namespace vmall::policy
