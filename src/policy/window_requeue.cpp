// SPDX-License-Identifier: GPL-2.0-or-later
//
// Window policy requeue: the job that has outstayed its window starts again later (thesis
// figure 6.2 b, c).
#include "policy/window.hpp"

namespace vmall::policy {

namespace {

class RequeueExpired final : public ExpiryPolicy {
  public:
    Allotment kept(const Pass &, const RunningJob &) const override { return {}; }
    void expire(Pass &pass, Running &running) const override { pass.requeue(running); }
    int fold_factor(const Pass &) const override { return 1; }
    bool acts(const Pass &) const override { return true; }
};

} // namespace

std::unique_ptr<ExpiryPolicy> make_requeue() {
    return std::make_unique<RequeueExpired>();
}

} // namespace vmall::policy
