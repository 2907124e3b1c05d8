// SPDX-License-Identifier: GPL-2.0-or-later
//
// Checks that any outcome with recorded allotments has to pass, whatever the policy.
#pragma once

#include "sim/engine/simulate.hpp"

#include <string>

// What is wrong, empty if nothing is:
// - at no time are more cores held than the machine has;
// - a job that was completed has done its work, to a millisecond for each allotment, and none of it
//   before a requeue counts;
// - no job runs before its submission or twice at once, and core time is what the allotments say.
std::string audit(const vmall::sim::Outcome &outcome, const vmall::sim::Options &options);
