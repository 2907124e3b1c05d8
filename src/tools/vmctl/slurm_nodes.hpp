// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurmctld says of its nodes.
#pragma once

#include <slurm/slurm.h>
#include <string>
#include <vector>

namespace vmall::vmctl {

struct SlurmNode {
    std::string name;
    std::string address;
    int port = 0;            // of its slurmd
    std::string version;     // of its slurmd; empty: it has not registered yet
    bool is_running = false; // not switched off to save power, and not for the future
};

// What libslurm's record says.
SlurmNode node_of(const node_info_t &record);

// Throws std::runtime_error, with what libslurm says, if it cannot.
std::vector<SlurmNode> load_slurm_nodes();

} // namespace vmall::vmctl
