// SPDX-License-Identifier: GPL-2.0-or-later
//
// A file, or lines.
#include "spank_vm/agent/arguments.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace vmall::agent {

namespace {

const std::string names_file = "config=";
const std::string node_mode = "mode=node";

bool is_path(const std::string &argument) {
    return argument.compare(0, names_file.size(), names_file) == 0;
}

} // namespace

bool deals_cores_itself(int argument_count, char **arguments) {
    return std::find(arguments, arguments + argument_count, node_mode) !=
           arguments + argument_count;
}

config::Config settings_by(int argument_count, char **arguments) {
    if (argument_count == 0)
        return config::load(config::default_path());
    std::vector<std::string> settings(arguments, arguments + argument_count);
    settings.erase(std::remove(settings.begin(), settings.end(), node_mode), settings.end());
    if (settings.size() == 1 && is_path(settings.front()))
        return config::load(settings.front().substr(names_file.size()));
    std::string lines;
    for (const std::string &setting : settings) {
        if (is_path(setting))
            throw config::ConfigError("plugstack.conf: " + setting +
                                      " of spank_vm.so must be its only argument: settings come "
                                      "from a file or from arguments");
        lines += setting + "\n";
    }
    return config::parse(lines, "plugstack.conf, arguments of spank_vm.so");
}

} // namespace vmall::agent
