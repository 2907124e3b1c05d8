// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the log says of slurm.conf and vmall.conf, once and again when they change.
#pragma once

#include "config/config.hpp"
#include "policy/settings.hpp"

#include <map>
#include <optional>
#include <string>

namespace vmall::sched {

class Warnings {
  public:
    // Jobs that are started by sched/fjt do not pass the loops that some SchedulerParameters are
    // for.
    void tell_parameters();

    // Whoever of Slurm's daemons and ours comes second to a port does not start.
    void tell_ports(const config::Config &config);

    // Partitions and users that there are not, after each change of the settings. Not before
    // slurmctld knows its partitions.
    void tell_names(const config::Config &config);

    // Some policies of the papers suit machines whose jobs are mostly short.
    void tell_policy(const policy::Settings &settings);

    // What goes by surveys, where there are none.
    void tell_surveys(const config::Config &config);

    // Slurm can be set up against us after it has started, and will be set right without starting
    // again. Empty: it is not.
    void tell_contradiction(const std::string &contradiction);

  private:
    std::string contradiction_; // that the log knows of
    bool holds_up_long_jobs_ = false;
    // The settings whose names were looked up.
    std::optional<std::map<std::string, std::string>> texts_;
    std::string ports_;      // that are Slurm's, too, that the log knows of
    std::string surveys_;    // what the log knows that lacks them
    std::string parameters_; // without effect, that the log knows of
};

} // namespace vmall::sched
