// SPDX-License-Identifier: GPL-2.0-or-later
//
// The best there is, by trying everything: what BUDDY and EQUI-EPOCH are measured against.
#pragma once

#include <set>
#include <vector>

namespace vmall::policy::buddy {

// Every ascending choice of `count` of these values, each as often as wanted: all the minima there
// can be, up to their order.
std::vector<std::vector<int>> all_mixes(const std::vector<int> &values, int count);

using Widths = std::vector<int>; // processors of the jobs, descending

// Every choice of widths for which EQUAL-MIN-SCHED (s. 6.1) has a schedule of `jobs` jobs without
// minima: all ways to divide the rectangle of processors and time into parts of equal area, with
// widths out of `allowed`. Exponential; up to about 8 processors and jobs for all widths, 16 for
// powers of two.
std::set<Widths> possible_widths(int processors, int jobs, const std::vector<int> &allowed);

// The answer to EQUAL-MIN-SCHED: the fewest reallocated processors (eq. 6.1) when the jobs with
// these minima get one of the possible widths.
int fewest_reallocated(int processors, const std::vector<int> &minima,
                       const std::set<Widths> &possible);

// Of any schedule of epochs with equal allocation. There is a best one in which the jobs, sorted by
// minimum, follow each other from epoch to epoch (properties 6.3 and 6.4).
int fewest_epochs(int processors, const std::vector<int> &minima);

} // namespace vmall::policy::buddy
