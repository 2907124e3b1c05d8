// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the controller's plugin and the node agents say about how they are installed
// (Ask::installation).
#pragma once

#include "wire/hand_over.hpp"
#include "wire/query.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vmall::wire {

enum class Confinement {
    cgroup_v1, // Slurm makes cpusets, which the agent resizes
    cgroup_v2,
    affinity, // Slurm makes none: the agent moves threads, which could leave again
    missing,  // Slurm is to make cpusets, and there is nothing to make them of
};

// By what the kernel shares CPUs out among processes before it looks at each of them.
enum class Groups { none, autogroups, cpu_cgroups };

struct Kernel {
    std::string release; // as uname(2) tells it
    Groups groups = Groups::none;
};

// What people should know of how that kernel shares CPUs out, and what they can do.
std::string describe(const Kernel &kernel);

// "cgroup v1", "cgroup v2", "affinity", or "missing".
const char *name_of(Confinement confinement);

// Of an agent.
struct NodeInstallation {
    std::string name;
    Confinement confinement = Confinement::affinity;
    bool has_vmrt = false;                  // VmrtLibrary is there
    std::optional<Kernel> kernel = {};      // agents of the first days do not tell
    std::optional<HandOver> hand_over = {}; // once it is measured
};

struct Installation {
    std::string version;              // of slurm-vmall
    std::string slurm;                // that it was built for, such as 22.05.8
    std::vector<SettingRow> settings; // that hold there; at most highest_setting_count
    std::optional<NodeInstallation> node = {};
};

// SLURM_VERSION_NUMBER as people write it.
std::string slurm_release(std::uint32_t version_number);

std::string encode(const Installation &installation);
// Texts are what somebody sent: show them, trust nothing in them. Throws QueryRefused if the answer
// is an error.
Installation decode_installation(const std::string &json);

} // namespace vmall::wire
