// SPDX-License-Identifier: GPL-2.0-or-later
//
// Processes per place.
#include "policy/folding/mpl.hpp"

#include "policy/room/room.hpp"

#include <algorithm>

namespace vmall::policy {

CoreCounts unfolded_equally(int processes, int cores_per_process, const CoreCounts &allotment) {
    CoreCounts unfolded = allotment;
    const int nodes = static_cast<int>(allotment.size());
    for (NodeCores &part : unfolded)
        part.cores = ceil_div(processes, nodes) * cores_per_process;
    return unfolded;
}

int mpl_of(const CoreCounts &unfolded, int cores_per_process, const CoreCounts &allotment) {
    int mpl = 1;
    for (std::size_t i = 0; i < std::min(unfolded.size(), allotment.size()); i++) {
        // Most nodes are as the one before, and dividing takes time.
        if (i > 0 && unfolded[i].cores == unfolded[i - 1].cores &&
            allotment[i].cores == allotment[i - 1].cores)
            continue;
        const int places = std::max(1, allotment[i].cores / cores_per_process);
        mpl = std::max(mpl, ceil_div(unfolded[i].cores / cores_per_process, places));
    }
    return mpl;
}

} // namespace vmall::policy
