// SPDX-License-Identifier: GPL-2.0-or-later
//
// Slurm writes what --cpu-bind takes, and its parts once more.
#include "spank_vm/step/bindings.hpp"

#include "spank_vm/step/environment.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace vmall::spank_vm {

namespace {

constexpr const char *cpu_bind = "SLURM_CPU_BIND";

bool names_cpus(const std::string &binding) {
    static constexpr const char *numbered[] = {"map_", "mask_", "rank"};
    return std::any_of(std::begin(numbered), std::end(numbered),
                       [&](const char *kind) { return binding.find(kind) != std::string::npos; });
}

} // namespace

void forget_numbered_cpus(spank_t spank) {
    if (!names_cpus(variable(spank, cpu_bind)))
        return;
    for (const char *part : {"", "_LIST", "_TYPE", "_VERBOSE"})
        spank_unsetenv(spank, (std::string(cpu_bind) + part).c_str());
}

} // namespace vmall::spank_vm
