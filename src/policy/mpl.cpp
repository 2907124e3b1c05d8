// SPDX-License-Identifier: GPL-2.0-or-later
//
// Processes per place.
#include "policy/mpl.hpp"

#include "policy/room.hpp"

#include <algorithm>

namespace vmall::policy {

int unfolded_width(int processes, int cores_per_process, const CoreCounts &allotment) {
    return ceil_div(processes, static_cast<int>(allotment.size())) * cores_per_process;
}

CoreCounts unfolded_equally(int processes, int cores_per_process, const CoreCounts &allotment) {
    CoreCounts unfolded = allotment;
    for (NodeCores &part : unfolded)
        part.cores = unfolded_width(processes, cores_per_process, allotment);
    return unfolded;
}

int mpl_of(const CoreCounts &unfolded, int cores_per_process, const CoreCounts &allotment) {
    int mpl = 1;
    for (std::size_t i = 0; i < allotment.size(); i++) {
        const int places = std::max(1, allotment[i].cores / cores_per_process);
        mpl = std::max(mpl, ceil_div(unfolded[i].cores / cores_per_process, places));
    }
    return mpl;
}

int mpl_of(int processes, int cores_per_process, const CoreCounts &allotment) {
    return mpl_of(unfolded_equally(processes, cores_per_process, allotment), cores_per_process,
                  allotment);
}

} // namespace vmall::policy
