// SPDX-License-Identifier: GPL-2.0-or-later
//
// What part of the time of its processes a job makes use of: the rest they wait, and others fill it
// where they share a core.
#pragma once

#include "sim/model/job.hpp"

#include <optional>

namespace vmall::sim {

// Of its processes on cores of their own, 0.01 to 1: its efficiency with so many where it goes by
// that, else as it was recorded. Empty: not known.
std::optional<double> useful_share(const Job &job, int processes);

// From now on all jobs with a speed-up curve go by their efficiency, as if what a process adds less
// than the first one it waited.
void go_by_efficiency(Workload &workload);

} // namespace vmall::sim
