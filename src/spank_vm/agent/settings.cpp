// SPDX-License-Identifier: GPL-2.0-or-later
//
// Gathers the settings from plugstack.conf, vmall.conf and Slurm.
#include "spank_vm/agent/settings.hpp"

#include "common/owned_text.hpp"
#include "config/plugin_arguments.hpp"
#include "slurmglue/port_ranges.h"
#include "spank_vm/node/slurmd_identity.hpp"
#include "spank_vm/options/slurm_release.hpp"

#include <slurm/slurm.h>

#include <vector>

namespace vmall::agent {

namespace {

std::string with_node_name(std::string path, const std::string &node_name) {
    for (auto at = path.find("%n"); at != std::string::npos;
         at = path.find("%n", at + node_name.size()))
        path.replace(at, 2, node_name);
    return path;
}

// Since 23.11 slurmd is in the background before it initialises SPANK.
bool goes_to_background(const spank_vm::SlurmdIdentity &identity) {
    return !identity.stays_in_foreground &&
           spank_vm::running_release() < SLURM_VERSION_NUM(23, 11, 0);
}

std::string conflict_on(const std::vector<spank_vm::PortRange> &slurms, int port) {
    std::vector<vmall_port_range> ranges;
    for (const spank_vm::PortRange &range : slurms)
        ranges.push_back({range.key.c_str(), range.first, range.last});
    return common::taken(
        vmall_conflict_among(ranges.data(), static_cast<int>(ranges.size()), "AgentPort", port));
}

} // namespace

Settings load_settings(int argument_count, char **arguments) {
    const spank_vm::Slurmd slurmd = spank_vm::this_slurmd();
    const spank_vm::SlurmdIdentity identity = spank_vm::identity_of(slurmd);
    Settings settings;
    settings.slurm_conf = slurmd.conf;
    settings.config = config::settings_by({arguments, arguments + argument_count});
    settings.deals_cores = config::deals_cores_itself({arguments, arguments + argument_count});
    settings.node_name = identity.node_name;
    settings.runtime_dir = with_node_name(settings.config.runtime_dir, settings.node_name);
    settings.step_socket_dir = identity.spool_dir;
    settings.cgroup_mount = identity.cgroup_mount;
    settings.slurm_makes_cpusets = identity.makes_cpusets;
    settings.slurm_user = identity.slurm_user;
    settings.claimed_cores = identity.claimed_cores;
    settings.agent_port = settings.config.agent_port.on_node(identity.port);
    settings.port_conflict = conflict_on(identity.slurms_ports, settings.agent_port);
    settings.daemonizes = goes_to_background(identity);
    return settings;
}

} // namespace vmall::agent
