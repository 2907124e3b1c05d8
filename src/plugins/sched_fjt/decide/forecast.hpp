// SPDX-License-Identifier: GPL-2.0-or-later
//
// When waiting jobs are expected to start, now and then.
#pragma once

#include "policy/model.hpp"
#include "policy/settings.hpp"

#include <map>
#include <optional>
#include <vector>

namespace vmall::sched {

class Forecast {
  public:
    // Adds to the waits of a decision what is known of their starts, which is found out every 30 s.
    // `steady`: now, as View::steady.
    void tell(const policy::Snapshot &snapshot, const policy::Settings &settings,
              policy::Seconds steady, std::vector<policy::Action> &actions);

  private:
    std::map<policy::JobId, policy::Seconds> starts_;
    std::optional<policy::Seconds> found_out_at_;
};

} // namespace vmall::sched
