// SPDX-License-Identifier: GPL-2.0-or-later
//
// A step may have the library in its environment already: from a script that puts it there itself.
#include "spank_vm/step/preload.hpp"

#include "common/split.hpp"
#include "spank_vm/step/environment.hpp"
#include "spank_vm/step/given.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace vmall::spank_vm {

namespace {

constexpr const char *ld_preload = "LD_PRELOAD";

// SPANK callbacks have no context argument: what the tasks of this slurmstepd have; or empty.
std::string preloaded;

// ld.so takes both as separators.
std::vector<std::string_view> paths_of(std::string_view list) {
    std::vector<std::string_view> paths;
    for (const std::string_view part : common::split(list, ':'))
        for (const std::string_view path : common::split(part, ' '))
            paths.push_back(path);
    return paths;
}

} // namespace

std::string without_path(const std::string &list, std::string_view path) {
    std::string rest;
    for (const std::string_view other : paths_of(list))
        if (other != path)
            rest.append(rest.empty() ? "" : ":").append(other);
    return rest;
}

void preload(spank_t spank, const std::string &library) {
    if (access(library.c_str(), R_OK) != 0) {
        slurm_error("virtual malleability: this node lacks %s (%s): while folded, MPI will poll",
                    library.c_str(), std::strerror(errno));
        return;
    }
    const std::string before = variable(spank, ld_preload);
    const auto paths = paths_of(before);
    if (std::find(paths.begin(), paths.end(), library) == paths.end())
        set_variable(spank, ld_preload, before.empty() ? library : before + ":" + library);
    note_given(spank, ld_preload, library);
    preloaded = library;
}

void do_not_preload_what_is_missing(spank_t spank) {
    if (preloaded.empty() || access(preloaded.c_str(), R_OK) == 0)
        return;
    const std::string rest = without_path(variable(spank, ld_preload), preloaded);
    if (rest.empty())
        spank_unsetenv(spank, ld_preload);
    else
        set_variable(spank, ld_preload, rest);
    if (!variable(spank, "VMALL_DEBUG").empty())
        slurm_spank_log("libvmrt: the container lacks %s, staying out", preloaded.c_str());
}

} // namespace vmall::spank_vm
