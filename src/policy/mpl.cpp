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

int mpl_of(int processes, int cores_per_process, const CoreCounts &allotment) {
    const auto narrowest = std::min_element(
        allotment.begin(), allotment.end(),
        [](const NodeCores &left, const NodeCores &right) { return left.cores < right.cores; });
    if (narrowest == allotment.end())
        return 1;
    const int places = std::max(1, narrowest->cores / cores_per_process);
    return ceil_div(ceil_div(processes, static_cast<int>(allotment.size())), places);
}

} // namespace vmall::policy
