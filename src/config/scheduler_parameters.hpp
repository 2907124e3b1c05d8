// SPDX-License-Identifier: GPL-2.0-or-later
//
// What sched/fjt makes of slurm.conf's SchedulerParameters. Jobs that did not ask are scheduled by
// the code of Slurm's that these were made for; the question is what they mean to the others.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vmall::config {

enum class Effect {
    all_jobs,  // Slurm applies it wherever jobs are submitted, given resources or run
    own_loops, // bounds the work of Slurm's own scheduling loops, which these jobs do not pass
    others,    // a rule about who may start, to which these jobs are not held
};

struct SchedulerParameter {
    const char *name;
    Effect effect;
};

// All of slurm.conf(5) of Slurm 22.05 and 24.11, by name.
const std::vector<SchedulerParameter> &scheduler_parameters();

// Those of Effect::others that are set in such a text, with their values and in its order.
std::vector<std::string> without_effect(std::string_view scheduler_parameters);

} // namespace vmall::config
