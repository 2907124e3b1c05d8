// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lines of /proc, in which a process chooses its name, and what Slurm says of the tasks of a step.
// Whoever reads them keeps that to himself, hence the files that are included here.
#include "libvmrt/process.cpp"
#include "spank_vm/agent/kernel.cpp"
#include "spank_vm/agent/processes.cpp"

#include "target.hpp"

#include <algorithm>

namespace vmall::fuzz {

void decode(const std::string &input) {
    const std::string_view stat = std::string_view(input).substr(0, agent::StatusText().size());
    if (const auto status = agent::parse_status(stat))
        expect(status->name.data() >= stat.data() &&
                   status->name.data() + status->name.size() <= stat.data() + stat.size(),
               "a name is a part of its line");
    runtime::Stat seen{};
    runtime::parse_stat(input.c_str(), seen);
    expect(runtime::tasks_of_node(input.c_str(), 2) <= VMALL_RUNTIME_SLOTS,
           "a node has as many tasks as a page has slots at most");
    agent::is_in_cpu_cgroup(input, "/nonexistent");
}

} // namespace vmall::fuzz
