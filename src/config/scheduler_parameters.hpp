// SPDX-License-Identifier: GPL-2.0-or-later
//
// What sched/fjt makes of slurm.conf's SchedulerParameters. Most of them hold for all jobs, or
// bound the work of Slurm's own scheduling loops, which virtually malleable jobs do not pass. What
// is left are rules about who may start, to which those jobs are not held.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vmall::config {

// Those rules, of slurm.conf(5) of Slurm 22.05 and 24.11.
const std::vector<std::string_view> &parameters_for_others();

// Those of them that are set in such a text, with their values and in its order.
std::vector<std::string> without_effect(std::string_view scheduler_parameters);

} // namespace vmall::config
