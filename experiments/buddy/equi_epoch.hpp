// SPDX-License-Identifier: GPL-2.0-or-later
//
// Schedules of epochs: all processors change hands at once, and the jobs of an epoch have equally
// many (s. 6.5).
#pragma once

#include "experiments/buddy/schedule.hpp"

#include <vector>

namespace vmall::policy::buddy {

// EQUI-EPOCH (figure 6.6; its prose, as the pseudo-code is off by one): epochs are filled with as
// many jobs as divide the processors, the smallest minima first. No epoch schedule has fewer epochs
// if the number of processors is a power of two (theorem 6.5); otherwise one may (figure 6.8).
// Throws std::invalid_argument if a minimum is not from 1 to `processors`.
Schedule equi_epoch_schedule(int processors, const std::vector<int> &minima);

// The same rule from the other end, which is not the best (figure 6.9b).
Schedule largest_first_epoch_schedule(int processors, const std::vector<int> &minima);

// Of a schedule of epochs.
int epochs(const Schedule &schedule);

} // namespace vmall::policy::buddy
