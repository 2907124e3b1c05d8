// SPDX-License-Identifier: GPL-2.0-or-later
//
// What stands behind spank_vm.so in plugstack.conf. Slurm itself sends that file to a node that has
// none ("configless"), but not vmall.conf.
#pragma once

#include "config/config.hpp"

namespace vmall::agent {

// Without arguments, the settings in vmall.conf (config::default_path()); with `config=PATH` alone,
// those in that file; else each argument is a line of vmall.conf, and no file is read. Throws
// config::ConfigError, which names plugstack.conf, or the file, and number of the argument, or
// line, and key.
config::Config settings_by(int argument_count, char **arguments);

} // namespace vmall::agent
