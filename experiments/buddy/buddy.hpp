// SPDX-License-Identifier: GPL-2.0-or-later
//
// BUDDY: among the schedules that give every job a power of two of processors, the one that
// reallocates the fewest (s. 6.3, figure 6.3; theorem 6.4).
#pragma once

#include "experiments/buddy/schedule.hpp"

#include <vector>

namespace vmall::policy::buddy {

// `processors` and the number of jobs must be powers of two. Jobs are placed by falling minimum,
// the last of equals first. No job gets fewer than P / J processors, which it needs for its share
// even if it runs all the time (the figure leaves that to the caller). Throws
// std::invalid_argument.
Schedule buddy_schedule(int processors, const std::vector<int> &minima);

// For any number of jobs (s. 6.4, generalization): groups of a power of two of jobs run one after
// the other, each by its own BUDDY schedule and for as many slots as it has jobs. The smallest
// group is first and gets the largest minima. `processors` must be a power of two. Throws
// std::invalid_argument.
Schedule grouped_buddy_schedule(int processors, const std::vector<int> &minima);

} // namespace vmall::policy::buddy
