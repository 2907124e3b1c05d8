// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a waiting job becomes that starts.
#include "policy/model.hpp"

namespace vmall::policy {

RunningJob started_job(const WaitingJob &job, const Start &start, Seconds now) {
    RunningJob result;
    static_cast<Demand &>(result) = job;
    result.processes = start.processes;
    result.allotment = start.counted_on;
    result.unfolded = start.unfolded;
    result.started = now;
    result.backfilled = start.backfilled;
    result.window_end = start.window_end;
    return result;
}

} // namespace vmall::policy
