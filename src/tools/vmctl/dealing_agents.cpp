// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which nodes are to be asked, slurmctld says: those of jobs that run.
#include "tools/vmctl/dealing_agents.hpp"

#include "config/plugin_arguments.hpp"
#include "tools/vmctl/controller.hpp"
#include "tools/vmctl/local_files.hpp"
#include "tools/vmctl/slurm_nodes.hpp"

#include <algorithm>
#include <utility>

namespace vmall::vmctl {

std::optional<config::Config> settings_of_dealing_agents() {
    const auto arguments = arguments_of_dealing_agents();
    return arguments ? std::optional(config::settings_by(*arguments)) : std::nullopt;
}

NodeJobs find_node_jobs(const config::Config &config, std::chrono::milliseconds patience) {
    const SlurmConf conf = load_slurm_conf();
    const std::string munge_socket = controller_by(*conf, config).munge_socket;
    std::vector<SlurmNode> nodes = load_slurm_nodes();
    SlurmJobs slurms = load_slurm_jobs();
    std::vector<AskedNode> asked;
    for (const SlurmNode &node : nodes)
        if (slurms.nodes.erase(node.name) != 0)
            asked.push_back({node.name, {node.address, config.agent_port.on_node(node.port)}});
    NodeJobs told = ask_for_node_jobs(asked, slurms, munge_socket, patience);
    for (const std::string &node : slurms.nodes)
        told.silent.push_back(node + ": slurmctld does not tell where it is");
    return told;
}

top::Source source_of_agents(const config::Config &config, std::chrono::milliseconds patience) {
    return {"the agents of the nodes",
            [config, patience](std::optional<std::time_t>) {
                NodeJobs told = find_node_jobs(config, patience);
                top::Observation seen;
                seen.at = seen.since = std::time(nullptr);
                seen.silent = std::move(told.silent);
                seen.jobs = std::move(told.jobs);
                const auto folded = std::count_if(
                    seen.jobs.begin(), seen.jobs.end(),
                    [](const wire::JobRow &job) { return job.mpl > 1; });
                seen.stats = {
                    {"jobs_malleable", seen.jobs.size(), "Jobs that asked to share, and run."},
                    {"jobs_folded", static_cast<std::uint64_t>(folded),
                     "Of them, those with more processes than cores."}};
                return seen;
            }};
}

} // namespace vmall::vmctl
