// SPDX-License-Identifier: GPL-2.0-or-later
//
// What has happened to a job, as it was seen then.
#include "plugins/sched_fjt/account/happening.hpp"

#include "plugins/sched_fjt/see/core_sets.hpp"

namespace vmall::sched {

Happening happening(wire::Event event, policy::Seconds now, const JobView &job,
                    std::uint64_t cores_before, const CoreSets &cores, const Purpose &purpose) {
    Happening result;
    result.event = event;
    result.time = now;
    result.job = job;
    result.cores_before = cores_before;
    result.cores_after = core_count(cores);
    result.mpl = cores.empty() ? 1 : mpl_of(job, cores);
    result.purpose = purpose;
    return result;
}

} // namespace vmall::sched
