// SPDX-License-Identifier: GPL-2.0-or-later
//
// A script runs on the first of its job's nodes.
#include "spank_vm/step/cpu_counts.hpp"

#include "config/job_request.hpp"
#include "spank_vm/step/environment.hpp"

#include <string>

namespace vmall::spank_vm {

namespace {

// SPANK callbacks have no context argument: of the one step of this slurmstepd; or empty.
std::string on_first_node;

} // namespace

void tell_cpus_per_node(spank_t spank) {
    const std::string cpus = variable(spank, config::env_cpus_per_node);
    if (cpus.empty())
        return;
    set_variable(spank, "SLURM_JOB_CPUS_PER_NODE", cpus);
    spank_unsetenv(spank, config::env_cpus_per_node);
    on_first_node = cpus.substr(0, cpus.find_first_not_of("0123456789"));
}

void tell_cpus_on_node(spank_t spank) {
    if (!on_first_node.empty())
        set_variable(spank, "SLURM_CPUS_ON_NODE", on_first_node);
}

} // namespace vmall::spank_vm
