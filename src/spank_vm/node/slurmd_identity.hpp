// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurmd and slurmstepd know about the node they serve, by what they were started with and by
// slurm.conf.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace vmall::spank_vm {

struct PortRange {
    std::string key; // of slurm.conf
    std::uint32_t first = 0, last = 0;
};

struct SlurmdIdentity {
    std::string node_name;
    std::string spool_dir;      // where slurmstepds have their sockets
    std::string cgroup_mount;   // CgroupMountpoint, or its default
    bool makes_cpusets = false; // task/cgroup with ConstrainCores=yes
    uid_t slurm_user = 0;
    std::uint32_t claimed_cores = 0; // that the node has to Slurm; 0: as many as there are
    int port = 0;                    // slurmd's
    std::vector<PortRange> slurms_ports;
    bool stays_in_foreground = false;
};

struct Slurmd {
    std::vector<std::string> arguments; // that it was started with, without its name
    std::string host;                   // without its domain
    std::string conf;                   // path of slurm.conf
};

Slurmd this_slurmd(); // throws std::runtime_error: it does not know its slurm.conf
SlurmdIdentity identity_of(const Slurmd &slurmd);

// Where the slurmd of a node listens. Nothing if slurm.conf does not name it.
struct SlurmdAddress {
    std::string host;
    int port = 0;
};
std::optional<SlurmdAddress> address_of_slurmd(const std::string &slurm_conf,
                                               const std::string &node_name);

struct StepIdentity {
    std::string node_name;
    std::string spool_dir;
};
StepIdentity identity_of_step(); // in slurmstepd; throws std::runtime_error in another process

// In slurmd: whether another slurmd, whose place it takes, goes on if this one does not start.
bool is_probationary();

} // namespace vmall::spank_vm
