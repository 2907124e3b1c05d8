// SPDX-License-Identifier: GPL-2.0-or-later
//
// Putting a job on as many cores as a sizing policy lets it have.
#include "policy/sizing/sizing.hpp"

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
    const int least = full_width(job, job.sizes.smallest(), max_mpl);
    const int most = widest(job, own);
    if (most < least)
        return std::nullopt;
    const int share = job.whole_nodes ? most : std::clamp(cores / parts_of(job), least, most);
    const int width = share / job.cores_per_process * job.cores_per_process;
    int most_of_them = most_processes(job, width * max_mpl);
    if (counts_memory(job, pass.free) || job.any_spread)
        most_of_them = std::min(most_of_them, most_processes(job, pass.nodes, own, max_mpl));
    const int processes = largest_size(job, most_of_them);
    // Where there is memory for them, there may be fewer cores.
    for (int mpl = ceil_div(full_width(job, processes), width); mpl <= max_mpl; mpl++)
        if (auto placement = place(job, processes, mpl, pass.nodes, own))
            return placement;
    return std::nullopt;
}

} // namespace vmall::policy
