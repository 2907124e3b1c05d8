// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the agent is told: its settings, and which node it is on.
#pragma once

#include "config/config.hpp"

#include <cstdint>
#include <string>
#include <sys/types.h>

namespace vmall::agent {

struct Settings {
    config::Config config;
    std::string node_name;
    std::string runtime_dir; // Config::runtime_dir of this node
    std::string slurm_conf;  // path
    std::string step_socket_dir;
    std::string cgroup_mount;
    bool slurm_makes_cpusets = false; // of steps and jobs
    uid_t slurm_user = 0;
    std::uint32_t claimed_cores = 0; // 0: as many as the machine has
    std::string slurm_release;       // that runs here
    int agent_port = 0;
    std::string port_conflict; // why another process may have that port; empty: it is ours
    bool daemonizes = false;   // slurmd will fork into the background
    bool deals_cores = false;  // mode=node: by itself, not by a controller's targets
};

// In slurmd, by the plugin's arguments (settings_by()). Throws std::runtime_error: a bad file or
// argument (config::ConfigError), another process.
Settings load_settings(int argument_count, char **arguments);

} // namespace vmall::agent
