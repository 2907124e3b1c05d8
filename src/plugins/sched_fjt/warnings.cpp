// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the log says of slurm.conf.
#include "plugins/sched_fjt/warnings.hpp"

#include "config/scheduler_parameters.hpp"
#include "plugins/sched_fjt/log.hpp"
#include "plugins/sched_fjt/owned_text.hpp"
#include "slurmglue/controller.h"

namespace vmall::sched {

void Warnings::tell_parameters() {
    std::string found;
    for (const std::string &one : config::without_effect(taken(vmall_scheduler_parameters())))
        found += (found.empty() ? "" : ",") + one;
    if (found != parameters_ && !found.empty())
        log_info("warning: virtually malleable jobs are not held to SchedulerParameters=" + found +
                 " of slurm.conf (man vmall.conf)");
    parameters_ = found;
}

void Warnings::tell_contradiction(const std::string &contradiction) {
    if (contradiction == contradiction_)
        return;
    contradiction_ = contradiction;
    if (contradiction_.empty())
        log_info("jobs are folded and unfolded again");
    else
        log_error(contradiction_ + "; until then no job is folded or unfolded");
}

} // namespace vmall::sched
