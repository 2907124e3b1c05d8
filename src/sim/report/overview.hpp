// SPDX-License-Identifier: GPL-2.0-or-later
//
// Summaries as a table for people.
#pragma once

#include "sim/report/summary.hpp"

#include <string>
#include <vector>

namespace vmall::sim {

// A line of titles, then one for each summary and, where jobs have both classes, one for each of
// these. Times are in seconds. Means over no jobs are blank.
std::string overview(const std::vector<Summary> &summaries);

} // namespace vmall::sim
