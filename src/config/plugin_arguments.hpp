// SPDX-License-Identifier: GPL-2.0-or-later
//
// What stands behind spank_vm.so in plugstack.conf. Slurm itself sends that file to a node that has
// none ("configless"), but not vmall.conf. `mode=node` may stand beside the others.
#pragma once

#include "config/config.hpp"

#include <string>
#include <vector>

namespace vmall::config {

// Without arguments, the settings in vmall.conf (default_path()); with `config=PATH` alone,
// those in that file; else each argument is a line of vmall.conf, and no file is read. Throws
// ConfigError, which names plugstack.conf, or the file, and number of the argument, or
// line, and key.
// With `mode=node` alone no file is read, and every setting has its default.
Config settings_by(std::vector<std::string> arguments);

// `mode=node`: nothing of ours is in slurmctld, the agent deals its node's cores itself.
bool deals_cores_itself(const std::vector<std::string> &arguments);

} // namespace vmall::config
