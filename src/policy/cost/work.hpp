// SPDX-License-Identifier: GPL-2.0-or-later
//
// What folding costs a job in time. Its work is the time that it takes unfolded; a time limit and
// an estimate count work. Times may be in any unit; `never` stays what it is.
#pragma once

#include "policy/model.hpp"

namespace vmall::policy {

// How long work takes at an MPL: at 1 as long as it is, else 1.1 × MPL times as long (1.1 is what
// folding itself costs, doc/runtime.md), rounded up.
Seconds time_for_work(Seconds work, int mpl);

// The work that is done in a time at an MPL, rounded down; the rest of the time is lost.
Seconds work_in_time(Seconds time, int mpl);
Seconds lost_in_time(Seconds time, int mpl);

// The deepest MPL at which work is done within a time, if the job stays so deep until its end; it
// is done in time all the more if the job grows. 1: at no other, or not even unfolded.
int deepest_mpl(Seconds work, Seconds time);

// Whether a job is folded at all that then takes so many percent of the core-seconds that it takes
// unfolded: not if that is more than twice as many.
bool is_worth_folding(int percent);

} // namespace vmall::policy
