// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurmctld says of its configuration and its nodes.
#pragma once

#include <memory>
#include <slurm/slurm.h>
#include <string>
#include <vector>

namespace vmall::vmctl {

using SlurmConf = std::unique_ptr<slurm_conf_t, decltype(&slurm_free_ctl_conf)>;

// Throws std::runtime_error if slurmctld does not answer. libslurm itself ends the process, with a
// message and exit code 1, if there is no slurm.conf.
SlurmConf load_slurm_conf();

struct SlurmNode {
    std::string name;
    std::string address;
    int port = 0;            // of its slurmd
    std::string version;     // of its slurmd; empty: it has not registered yet
    bool is_running = false; // not switched off to save power, and not for the future
};

// Throws std::runtime_error if sinfo names none.
std::vector<SlurmNode> load_slurm_nodes();

} // namespace vmall::vmctl
