// SPDX-License-Identifier: GPL-2.0-or-later
//
// The arithmetic of folding a running job: which MPL goes with how many cores.
#include "policy/folding/folding.hpp"

#include "policy/folding/mpl.hpp"
#include "policy/room/room.hpp"

#include <algorithm>

namespace vmall::policy {

bool can_resize(const Running &running) {
    const RunningJob &job = *running.job;
    return job.virtually_malleable && job.resizable && !running.ending && !running.target &&
           !job.allotment.empty();
}

const CoreCounts &allotment_to_come(const Running &running) {
    return running.target ? *running.target : running.job->allotment;
}

int mpl_on(const RunningJob &job, const CoreCounts &allotment) {
    return mpl_of(job.unfolded, job.cores_per_process, allotment);
}

CoreCounts folded_to(const RunningJob &job, int mpl) {
    CoreCounts result = at_mpl(job.unfolded, job.cores_per_process, std::min(mpl, job.max_mpl));
    for (std::size_t i = 0; i < result.size(); i++)
        result[i].cores = std::min(result[i].cores, job.allotment[i].cores);
    return result;
}

CoreCounts unfolded_to(const RunningJob &job, int mpl) {
    CoreCounts result = at_mpl(job.unfolded, job.cores_per_process, mpl);
    for (std::size_t i = 0; i < result.size(); i++)
        result[i].cores = std::max(result[i].cores, job.allotment[i].cores);
    return result;
}

Seconds credit(const Pass &pass, const RunningJob &job) {
    return job.lost * pass.settings.folded_weight;
}

} // namespace vmall::policy
