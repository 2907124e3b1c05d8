// SPDX-License-Identifier: GPL-2.0-or-later
//
// Window policy suspend: the job that has outstayed its window gives up its cores, and is resumed
// on them when its turn in the queue has come or it can be backfilled again (thesis s. 6.2, option
// 2).
#include "policy/window/vacate.hpp"

namespace vmall::policy {

namespace {

class SuspendExpired final : public VacatingPolicy {
  public:
    void expire(Pass &pass, Running &running) const override { pass.suspend(running); }
};

} // namespace

std::unique_ptr<ExpiryPolicy> make_suspend() {
    return std::make_unique<SuspendExpired>();
}

} // namespace vmall::policy
