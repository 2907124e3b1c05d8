// SPDX-License-Identifier: GPL-2.0-or-later
//
// The schedule that a workload was recorded with, in the form of a simulation's outcome: what a
// site compares policies with.
#pragma once

#include "sim/engine/outcome.hpp"

namespace vmall::sim {

// Jobs that were never started where they were recorded have End::never_started. Throws
// std::invalid_argument if no job has a recorded start (a generated workload, say).
Outcome replay(const Workload &workload, int cores, bool record_allotments);

} // namespace vmall::sim
