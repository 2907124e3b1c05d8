// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files of an installation on this host.
#pragma once

#include "tools/vmctl/diagnosis.hpp"

#include <optional>
#include <string>
#include <vector>

namespace vmall::vmctl {

// That each of them is in one of the directories, which colons separate.
Diagnosis judge_plugins(const std::string &plugin_dir, const std::vector<std::string> &files);

// What stands behind spank_vm.so in plugstack.conf, or in a file that it includes. Nothing: no line
// names it.
std::optional<std::vector<std::string>> spank_arguments(const std::string &plugstack);

// Likewise of the plugstack.conf beside slurm.conf; nothing as well if the agents do not deal cores
// themselves (mode=node).
std::optional<std::vector<std::string>> arguments_of_dealing_agents();

// That plugstack.conf, or a file that it includes, has spank_vm.so, and that this is there.
Diagnosis judge_plugstack(const std::string &plugstack, const std::string &plugin_dir);

} // namespace vmall::vmctl
