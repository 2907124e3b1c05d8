// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the window policies have in common that take all cores from the job.
#pragma once

#include "policy/window/window.hpp"

namespace vmall::policy {

class VacatingPolicy : public ExpiryPolicy {
  public:
    CoreCounts kept(const Pass &, const RunningJob &) const final { return {}; }
    int fold_factor(const Pass &, const WaitingJob &) const final { return 1; }
    bool acts(const Pass &) const final { return true; }
};

} // namespace vmall::policy
