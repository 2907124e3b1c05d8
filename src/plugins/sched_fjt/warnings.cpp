// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the log says of slurm.conf and vmall.conf.
#include "plugins/sched_fjt/warnings.hpp"

#include "common/owned_text.hpp"
#include "config/named.hpp"
#include "config/scheduler_parameters.hpp"
#include "plugins/sched_fjt/locks.hpp"
#include "plugins/sched_fjt/log.hpp"
#include "policy/scheduler.hpp"
#include "slurmglue/controller.h"
#include "slurmglue/port_conflict.h"

namespace vmall::sched {

void Warnings::tell_parameters() {
    std::string found;
    for (const std::string &one :
         config::without_effect(common::taken(vmall_scheduler_parameters())))
        found += (found.empty() ? "" : ",") + one;
    if (found != parameters_ && !found.empty())
        log_info("warning: virtually malleable jobs are not held to SchedulerParameters=" + found +
                 " of slurm.conf (man vmall.conf)");
    parameters_ = found;
}

void Warnings::tell_ports(const config::Config &config) {
    std::string found;
    for (const std::string &conflict :
         {common::taken(vmall_port_conflict(nullptr, "ControlPort", config.control_port)),
          config.agent_port.relative
              ? std::string()
              : common::taken(vmall_port_conflict(nullptr, "AgentPort", config.agent_port.value))})
        if (!conflict.empty())
            found += (found.empty() ? "" : "; ") + conflict;
    if (found != ports_ && !found.empty())
        log_info("warning: " + found + ": give it another port in vmall.conf");
    ports_ = found;
}

void Warnings::tell_names(const config::Config &config) {
    if (texts_ == config.texts)
        return;
    texts_ = config.texts;
    std::string found;
    const auto add = [&](const config::Named &named, const char *kind) {
        found += (found.empty() ? "" : ", ") + named.key + " the " + kind + " " + named.name;
    };
    {
        const LockToRead lock;
        for (const config::Named &partition : config::named_partitions(config))
            if (!vmall_is_partition(partition.name.c_str()))
                add(partition, "partition");
    }
    for (const config::Named &user : config::unknown_users(config))
        add(user, "user");
    if (!found.empty())
        log_info("warning: vmall.conf names what is not there: " + found);
}

void Warnings::tell_policy(const policy::Settings &settings) {
    const bool holds_up = policy::holds_up_long_jobs(settings);
    if (holds_up && !holds_up_long_jobs_)
        log_info(std::string("warning: QueueDiscipline=") + settings.queue_discipline->name +
                 " lets no virtually malleable job of class long pass the first that waits; where "
                 "many jobs are long they wait many times longer than under stock Slurm "
                 "(man vmall.conf)");
    holds_up_long_jobs_ = holds_up;
}

void Warnings::tell_surveys(const config::Config &config) {
    std::string found;
    if (config.survey_interval == 0 && config.take_part.highest() > 0)
        found = "no job is folded that takes part by TakePart";
    if (config.survey_interval == 0 && policy::goes_by_measurements(config.policy))
        found += (found.empty() ? "" : ", and ") + std::string("QueueDiscipline=") +
                 config.policy.queue_discipline->name + " knows of no job how efficient it is";
    if (found != surveys_ && !found.empty())
        log_info("warning: with SurveyInterval=0 in vmall.conf " + found);
    surveys_ = found;
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
