// SPDX-License-Identifier: GPL-2.0-or-later
//
// Window policy kill: the job that has outstayed its window is ended for good, as one that exceeds
// its estimate on many a production system.
#include "policy/window/vacate.hpp"

namespace vmall::policy {

namespace {

class KillExpired final : public VacatingPolicy {
  public:
    void expire(Pass &pass, Running &running) const override { pass.kill(running); }
};

} // namespace

std::unique_ptr<ExpiryPolicy> make_kill() {
    return std::make_unique<KillExpired>();
}

} // namespace vmall::policy
