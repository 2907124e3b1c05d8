// SPDX-License-Identifier: GPL-2.0-or-later
//
// A file, or lines.
#include "spank_vm/agent/arguments.hpp"

#include <string>

namespace vmall::agent {

namespace {

const std::string names_file = "config=";

bool is_path(const std::string &argument) {
    return argument.compare(0, names_file.size(), names_file) == 0;
}

} // namespace

config::Config settings_by(int argument_count, char **arguments) {
    if (argument_count == 0)
        return config::load(config::default_path());
    if (argument_count == 1 && is_path(arguments[0]))
        return config::load(arguments[0] + names_file.size());
    std::string lines;
    for (int i = 0; i < argument_count; ++i) {
        if (is_path(arguments[i]))
            throw config::ConfigError("plugstack.conf: " + std::string(arguments[i]) +
                                      " of spank_vm.so must be its only argument: settings come "
                                      "from a file or from arguments");
        lines += std::string(arguments[i]) + "\n";
    }
    return config::parse(lines, "plugstack.conf, arguments of spank_vm.so");
}

} // namespace vmall::agent
