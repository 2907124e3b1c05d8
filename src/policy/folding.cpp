// SPDX-License-Identifier: GPL-2.0-or-later
//
// The arithmetic of folding a running job: which MPL goes with how many cores.
#include "policy/folding.hpp"

#include "policy/mpl.hpp"
#include "policy/room.hpp"

#include <algorithm>

namespace vmall::policy {

namespace {

int width_at(const RunningJob &job, int mpl) {
    return folded_width(unfolded_width(job.processes, job.cores_per_process, job.allotment),
                        job.cores_per_process, mpl);
}

} // namespace

bool can_resize(const Running &running) {
    const RunningJob &job = *running.job;
    return job.virtually_malleable && job.resizable && !running.ending && !running.target &&
           !job.allotment.empty();
}

const CoreCounts &settled_allotment(const Running &running) {
    return running.target ? *running.target : running.job->allotment;
}

int mpl_on(const RunningJob &job, const CoreCounts &allotment) {
    return mpl_of(job.processes, job.cores_per_process, allotment);
}

CoreCounts folded_to(const RunningJob &job, int mpl) {
    CoreCounts result = job.allotment;
    for (auto &part : result)
        part.cores = std::min(part.cores, width_at(job, std::min(mpl, job.max_mpl)));
    return result;
}

CoreCounts unfolded_to(const RunningJob &job, int mpl) {
    CoreCounts result = job.allotment;
    for (auto &part : result)
        part.cores = std::max(part.cores, width_at(job, mpl));
    return result;
}

Seconds credit(const Pass &pass, const RunningJob &job) {
    return job.lost * pass.settings.folded_weight;
}

} // namespace vmall::policy
