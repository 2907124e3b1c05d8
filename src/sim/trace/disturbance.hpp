// SPDX-License-Identifier: GPL-2.0-or-later
//
// A recorded workload that is all but the same, to see how far a policy differs from itself by
// chance.
#pragma once

#include "sim/model/job.hpp"

namespace vmall::sim {

// In turn, jobs run a second shorter, as recorded, and a second longer: on average nothing changes.
// None runs for less than a second for that, and estimates and limits that one would pass are
// raised.
void disturb_run_times(Workload &workload);

} // namespace vmall::sim
