// SPDX-License-Identifier: GPL-2.0-or-later
//
// The arithmetic of folding a running job: which MPL goes with how many cores.
//
// Folding keeps every node, and the processes on it. Between two MPL lie widths that speed nothing
// up (8 processes on 7 cores are as slow as on 4), so jobs step from MPL to MPL, on all nodes
// alike.
#pragma once

#include "policy/pass.hpp"

namespace vmall::policy {

// May be told to change its allotment now.
bool can_resize(const Running &running);

// What it holds once a resize that is under way is confirmed.
const CoreCounts &allotment_to_come(const Running &running);

// Its MPL on an allotment of the same nodes.
int mpl_on(const RunningJob &job, const CoreCounts &allotment);

// The same nodes with only as many cores as this MPL, or the job's highest, needs, where that is
// fewer than now.
CoreCounts folded_to(const RunningJob &job, int mpl);

// The same nodes with as many cores as this MPL needs, where that is more than now.
CoreCounts unfolded_to(const RunningJob &job, int mpl);

// By how much a job counts as younger when jobs are chosen to be folded: its lost time, weighted.
Seconds credit(const Pass &pass, const RunningJob &job);

} // namespace vmall::policy
