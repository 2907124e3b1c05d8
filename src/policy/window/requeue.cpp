// SPDX-License-Identifier: GPL-2.0-or-later
//
// Window policy requeue: the job that has outstayed its window starts again later (thesis
// figure 6.2 b, c).
#include "policy/window/vacate.hpp"

namespace vmall::policy {

namespace {

class RequeueExpired final : public VacatingPolicy {
  public:
    void expire(Pass &pass, Running &running) const override { pass.requeue(running); }
};

} // namespace

std::unique_ptr<ExpiryPolicy> make_requeue() {
    return std::make_unique<RequeueExpired>();
}

} // namespace vmall::policy
