// SPDX-License-Identifier: GPL-2.0-or-later
//
// A file, or lines.
#include "config/plugin_arguments.hpp"

#include <algorithm>

namespace vmall::config {

namespace {

const std::string names_file = "config=";
const std::string node_mode = "mode=node";

bool is_path(const std::string &argument) {
    return argument.compare(0, names_file.size(), names_file) == 0;
}

} // namespace

bool deals_cores_itself(const std::vector<std::string> &arguments) {
    return std::find(arguments.begin(), arguments.end(), node_mode) != arguments.end();
}

Config settings_by(std::vector<std::string> settings) {
    if (settings.empty())
        return load(default_path());
    settings.erase(std::remove(settings.begin(), settings.end(), node_mode), settings.end());
    if (settings.size() == 1 && is_path(settings.front()))
        return load(settings.front().substr(names_file.size()));
    std::string lines;
    for (const std::string &setting : settings) {
        if (is_path(setting))
            throw ConfigError("plugstack.conf: " + setting +
                              " of spank_vm.so must be its only argument: settings come "
                              "from a file or from arguments");
        lines += setting + "\n";
    }
    return parse(lines, "plugstack.conf, arguments of spank_vm.so");
}

} // namespace vmall::config
