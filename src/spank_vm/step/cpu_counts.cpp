// SPDX-License-Identifier: GPL-2.0-or-later
//
// A script runs on the first of its job's nodes, and its steps inherit what it was told.
#include "spank_vm/step/cpu_counts.hpp"

#include "config/job_request.hpp"
#include "spank_vm/step/environment.hpp"

#include <cstring>
#include <string>

namespace vmall::spank_vm {

namespace {

constexpr const char *cpus_of_nodes = "SLURM_JOB_CPUS_PER_NODE";

// SPANK callbacks have no context argument: of the one step of this slurmstepd; or empty.
std::string on_this_node;

// Of 8(x2),4.
std::string of_first_node(const std::string &cpus) {
    return cpus.substr(0, cpus.find_first_not_of("0123456789"));
}

bool same_on_each_node(const std::string &cpus) {
    return cpus.find(',') == std::string::npos;
}

// As a step has that was not told to take fewer.
bool has_all_cores_of_its_job(spank_t spank) {
    const char *of_job = item<char *>(spank, S_JOB_ALLOC_CORES, "the job's cores");
    const char *of_step = item<char *>(spank, S_STEP_ALLOC_CORES, "the step's cores");
    return of_job && of_step && std::strcmp(of_job, of_step) == 0;
}

} // namespace

void tell_cpus_per_node(spank_t spank) {
    const std::string cpus = variable(spank, config::env_cpus_per_node);
    if (cpus.empty())
        return;
    set_variable(spank, cpus_of_nodes, cpus);
    spank_unsetenv(spank, config::env_cpus_per_node);
    on_this_node = of_first_node(cpus);
}

void expect_cpus_of_the_script(spank_t spank) {
    const std::string cpus = variable(spank, cpus_of_nodes);
    if (same_on_each_node(cpus) && has_all_cores_of_its_job(spank))
        on_this_node = of_first_node(cpus);
}

void tell_cpus_on_node(spank_t spank) {
    if (!on_this_node.empty())
        set_variable(spank, "SLURM_CPUS_ON_NODE", on_this_node);
}

} // namespace vmall::spank_vm
