// SPDX-License-Identifier: GPL-2.0-or-later
//
// Putting a job on as many cores as a sizing policy lets it have.
#include "policy/sizing.hpp"

#include "policy/reasons.hpp"

#include <algorithm>

namespace vmall::policy {

bool size_is_open(const WaitingJob &job) {
    return job.virtually_malleable && !job.resumes_on;
}

Delay waits_for_coming_cores(int mpl) {
    return {reasons::being_freed, 0, mpl, true};
}

std::optional<Placement> place_within(const Pass &pass, const WaitingJob &job, const Usable &own,
                                      int cores, int max_mpl) {
    const int least = ceil_div(full_width(job, job.sizes.smallest()), max_mpl);
    const int most = widest(job, own);
    if (most < least)
        return std::nullopt;
    const int width = job.whole_nodes ? most : std::clamp(cores / job.min_nodes, least, most);
    const int processes = largest_size(job, most_processes(job, width * max_mpl));
    const int mpl = ceil_div(full_width(job, processes), width);
    return place(job, processes, mpl, pass.nodes, own);
}

} // namespace vmall::policy
