// SPDX-License-Identifier: GPL-2.0-or-later
//
// The jobs of all nodes where their agents deal cores themselves (mode=node).
#pragma once

#include "tools/vmctl/agents.hpp"
#include "tools/vmctl/slurm_jobs.hpp"

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace vmall::vmctl {

struct NodeJobs {
    std::vector<wire::JobRow> jobs;         // by ascending id
    std::set<std::uint32_t> suspended;      // of these
    std::vector<wire::LeftOutRow> left_out; // as each node says it
    std::vector<std::string> silent;        // nodes that did not tell, and why
};

struct AskedNode {
    std::string name;
    AgentAddress agent;
};

// Asks the nodes. Names and numbers of processes are as `slurms` has them. Throws as ask_agents().
NodeJobs ask_for_node_jobs(const std::vector<AskedNode> &nodes, const SlurmJobs &slurms,
                           const std::string &munge_socket, std::chrono::milliseconds patience);

// What the nodes say of each job, put together, by ascending id. Of another user it is another job.
std::vector<wire::JobRow> merged(std::vector<wire::JobRow> rows);

} // namespace vmall::vmctl
