// SPDX-License-Identifier: GPL-2.0-or-later
//
// Gathers the settings from plugstack.conf, vmall.conf and Slurm.
#include "spank_vm/agent/settings.hpp"

#include "common/owned_text.hpp"
#include "slurmglue/port_conflict.h"
#include "slurmglue/slurmd_identity.h"
#include "spank_vm/agent/arguments.hpp"

#include <stdexcept>

namespace vmall::agent {

namespace {

std::string with_node_name(std::string path, const std::string &node_name) {
    for (auto at = path.find("%n"); at != std::string::npos;
         at = path.find("%n", at + node_name.size()))
        path.replace(at, 2, node_name);
    return path;
}

} // namespace

Settings load_settings(int argument_count, char **arguments) {
    vmall_slurmd_identity identity;
    if (vmall_read_slurmd_identity(&identity) != 0)
        throw std::runtime_error("this process does not know its node");
    Settings settings;
    settings.config = settings_by(argument_count, arguments);
    settings.deals_cores = deals_cores_itself(argument_count, arguments);
    settings.node_name = identity.node_name;
    settings.runtime_dir = with_node_name(settings.config.runtime_dir, settings.node_name);
    settings.step_socket_dir = identity.spool_dir;
    settings.cgroup_mount = identity.cgroup_mount;
    settings.slurm_makes_cpusets = identity.makes_cpusets;
    settings.slurm_user = identity.slurm_user_id;
    settings.claimed_cores = identity.claimed_cores;
    settings.agent_port = settings.config.agent_port.on_node(identity.port);
    settings.port_conflict =
        common::taken(vmall_port_conflict(nullptr, "AgentPort", settings.agent_port));
    settings.daemonizes = identity.daemonizes_after_init;
    return settings;
}

} // namespace vmall::agent
