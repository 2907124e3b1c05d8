// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurmstepd and the epilog need to find the agent of their node. The agent saves it in
// slurmd's spool directory when it starts, so that they go by the settings that it has, not by a
// vmall.conf that was changed, or broken, since.
#pragma once

#include <optional>
#include <string>

namespace vmall::spank_vm {

struct StepSettings {
    std::string node_name;
    std::string runtime_dir;
    std::string vmrt_library;
    bool wants_bystanders = false; // steps of jobs that take no part register, too
    bool notes_end = false;        // what a job had is noted in its AdminComment
};

// In slurmd, whose spool directory that is; the node's name is not saved. Throws std::system_error.
void save_step_settings(const std::string &spool_dir, const StepSettings &settings);

// In slurmstepd. Nothing if no agent has ever started on this node. Throws std::runtime_error.
std::optional<StepSettings> load_step_settings();

} // namespace vmall::spank_vm
