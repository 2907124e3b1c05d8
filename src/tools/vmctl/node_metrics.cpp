// SPDX-License-Identifier: GPL-2.0-or-later
//
// Agents count nothing that outlives a job, so there are no counters.
#include "tools/vmctl/node_metrics.hpp"

#include "wire/installation.hpp"
#include "wire/metric_families.hpp"

#include <map>
#include <numeric>
#include <set>
#include <slurm/slurm.h>
#include <string>
#include <string_view>

namespace vmall::vmctl {

namespace {

using wire::JobRow;
using wire::NodeCores;
using wire::Sample;

std::uint64_t cores_of(const JobRow &job) {
    return std::accumulate(
        job.nodes.begin(), job.nodes.end(), std::uint64_t{0},
        [](std::uint64_t sum, const NodeCores &node) { return sum + node.cores; });
}

std::string_view state_of(const JobRow &job, const NodeJobs &told) {
    if (told.suspended.count(job.job_id) > 0)
        return wire::state_suspended;
    return cores_of(job) < job.full_cores ? wire::state_folded : wire::state_unfolded;
}

std::vector<Sample> by_state(const NodeJobs &told) {
    std::map<std::string_view, std::uint64_t> jobs{
        {wire::state_unfolded, 0}, {wire::state_folded, 0}, {wire::state_suspended, 0}};
    for (const JobRow &job : told.jobs)
        ++jobs[state_of(job, told)];
    std::vector<Sample> samples;
    for (const auto &[state, count] : jobs)
        samples.push_back({{{"state", std::string(state)}}, static_cast<double>(count)});
    return samples;
}

void add(wire::RunningJobs &running, const JobRow &job) {
    const std::uint64_t cores = cores_of(job);
    running.cores_held += cores;
    running.cores_lent += job.full_cores > cores ? job.full_cores - cores : 0;
    running.resizes_pending += job.resize_pending;
    running.note(job.ranks, job.useful_percent);
}

// Who says several things is one.
std::set<std::string> silent_nodes(const NodeJobs &told) {
    std::set<std::string> nodes;
    for (const std::string &node : told.silent)
        nodes.insert(node.substr(0, node.find(':')));
    return nodes;
}

} // namespace

std::vector<wire::MetricFamily> metrics_of(const NodeJobs &told) {
    wire::RunningJobs running;
    std::uint64_t lost = 0;
    for (const JobRow &job : told.jobs) {
        lost += job.lost_seconds.value_or(0);
        if (state_of(job, told) != wire::state_suspended)
            add(running, job);
    }
    wire::MetricFamilies families;
    add_running(families, by_state(told), running);
    families.gauge("lost_seconds", lost,
                   "What the jobs that run have lost of their time by sharing, added up.");
    auto &silent = families.add(wire::MetricType::gauge, "node_silent",
                                "1 for each node with jobs whose agent does not tell of them.");
    for (const std::string &node : silent_nodes(told))
        silent.samples.push_back({{{"node", node}}, 1});
    add_build(families, wire::slurm_release(SLURM_VERSION_NUMBER));
    return families.take();
}

} // namespace vmall::vmctl
