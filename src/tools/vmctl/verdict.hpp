// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is right or wrong about an installation, from what its parts said.
#pragma once

#include "tools/vmctl/diagnosis.hpp"
#include "tools/vmctl/introduction.hpp"

#include <string>
#include <vector>

namespace vmall::vmctl {

inline constexpr std::time_t highest_clock_difference = 10; // seconds; at 60 messages are refused

// What slurmctld says of its configuration.
struct SlurmFacts {
    std::string version;
    std::string select_type;
    std::string scheduler_type; // sched/backfill while sched/fjt runs (het_jobs.h)
    bool is_gang_scheduled = false;
};

Diagnoses judge_slurm(const SlurmFacts &slurm);
// Where nothing of ours is to be in slurmctld, as the agents deal cores themselves (mode=node).
Diagnosis judge_slurm_without_ours(const SlurmFacts &slurm);

bool is_our_select(const std::string &type);

// The file of our select plugin by the name that slurm.conf has for it, or if it has none, by the
// one to use.
std::string select_plugin_file(const std::string &select_type);

using Settings = std::vector<wire::SettingRow>;

// `here`: the settings in vmall.conf of this host.
Diagnoses judge_controller(const Introduction &controller, const SlurmFacts &slurm,
                           const Settings &here);

struct ExpectedNode {
    std::string name;
    std::string slurm; // version of its slurmd; empty: not known
    Settings settings; // as the controller has them, or else as they are here
};
Diagnoses judge_node(const Introduction &agent, const ExpectedNode &expected);

} // namespace vmall::vmctl
