// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files of an installation on this host.
#include "tools/vmctl/local_files.hpp"

#include "config/plugin_arguments.hpp"

#include <filesystem>
#include <fstream>
#include <glob.h>
#include <iterator>
#include <sstream>

namespace vmall::vmctl {

namespace {

namespace fs = std::filesystem;

constexpr const char *spank_plugin = "spank_vm.so";
constexpr int deepest_include = 8; // a file may include itself

bool is_file(const fs::path &path) {
    std::error_code none;
    return fs::is_regular_file(path, none);
}

bool is_in(const std::string &plugin_dir, const std::string &file) {
    std::istringstream directories(plugin_dir);
    for (std::string directory; std::getline(directories, directory, ':');)
        if (is_file(fs::path(directory) / file))
            return true;
    return false;
}

std::vector<std::string> files_like(const std::string &pattern) {
    glob_t found = {};
    std::vector<std::string> files;
    if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
        files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
    globfree(&found);
    return files;
}

struct SpankLine {
    std::string path;
    std::vector<std::string> arguments;
};

// As slurmd would load the plugin: nothing if no line names it.
std::optional<SpankLine> spank_plugin_in(const fs::path &plugstack, int depth = 0) {
    std::ifstream file(plugstack);
    for (std::string line; depth < deepest_include && std::getline(file, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        std::string kind, path;
        words >> kind >> path;
        if (kind == "include")
            for (const std::string &included : files_like(plugstack.parent_path() / path))
                if (auto found = spank_plugin_in(included, depth + 1))
                    return found;
        if ((kind == "required" || kind == "optional") && fs::path(path).filename() == spank_plugin)
            return SpankLine{path, {std::istream_iterator<std::string>(words), {}}};
    }
    return std::nullopt;
}

} // namespace

Diagnosis judge_plugins(const std::string &plugin_dir, const std::vector<std::string> &files) {
    std::string found, missing;
    for (const std::string &file : files) {
        std::string &list = is_in(plugin_dir, file) ? found : missing;
        list += (list.empty() ? "" : ", ") + file;
    }
    if (missing.empty())
        return {"plugins", {"here"}, found, ""};
    return {"plugins",
            {"here"},
            missing + ": not in PluginDir=" + plugin_dir,
            "Install slurm-vmall here (make install) or Slurm, whose plugin it is, or put the "
            "directory into PluginDir of slurm.conf."};
}

std::optional<std::vector<std::string>> spank_arguments(const std::string &plugstack) {
    const auto line = spank_plugin_in(plugstack);
    return line ? std::optional(line->arguments) : std::nullopt;
}

std::optional<std::vector<std::string>> arguments_of_dealing_agents() {
    auto arguments = spank_arguments(config::beside_slurm_conf("plugstack.conf"));
    if (arguments && !config::deals_cores_itself(*arguments))
        arguments.reset();
    return arguments;
}

Diagnosis judge_plugstack(const std::string &plugstack, const std::string &plugin_dir) {
    const auto diagnosis = [&](const std::string &what, const std::string &fix = "") {
        return Diagnosis{"plugstack.conf", {"here"}, what, fix};
    };
    const std::string line = std::string("\"required ") + spank_plugin + "\"";
    if (!is_file(plugstack))
        return diagnosis(plugstack + " is not there", "Write it, with the line " + line +
                                                          ", here and on the nodes, and restart "
                                                          "slurmd.");
    const auto found = spank_plugin_in(plugstack);
    if (!found)
        return diagnosis(plugstack + " does not name " + spank_plugin,
                         "Add the line " + line + " here and on the nodes, and restart slurmd.");
    const std::string &path = found->path;
    const bool is_there = path.front() == '/' ? is_file(path) : is_in(plugin_dir, path);
    if (!is_there)
        return diagnosis(path + " of " + plugstack + " is not there",
                         "Install slurm-vmall here (make install), or correct the path.");
    return diagnosis(path);
}

} // namespace vmall::vmctl
