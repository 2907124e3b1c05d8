// SPDX-License-Identifier: GPL-2.0-or-later
//
// A node as the machine that applications share.
#include "policy/sharing/shared_node.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace vmall::policy::sharing {

namespace {

// The fewest cores the sizing policy may give to a job.
int least_cores(bool malleable, int processes, int cores_per_process, int max_mpl) {
    return folded_width(processes * cores_per_process, cores_per_process,
                        malleable ? processes : max_mpl);
}

bool is_member(const Running &running) {
    const RunningJob &job = *running.job;
    return job.virtually_malleable && job.resizable && !running.ending &&
           job.allotment.size() == 1 &&
           job.allotment.front().cores <= job.processes * job.cores_per_process;
}

void add_member(SharedNode &machine, const Pass &pass, std::size_t index) {
    const RunningJob &job = *pass.running[index].job;
    const int now = job.allotment.front().cores;
    Application application;
    application.requested = job.processes * job.cores_per_process;
    application.least =
        std::min(now, least_cores(job.malleable, job.processes, job.cores_per_process,
                                  std::min(pass.settings.max_mpl, job.max_mpl)));
    application.measured = job.measured;
    machine.members.push_back(index);
    machine.applications.push_back(std::move(application));
    machine.now.push_back(now);
    machine.processors += now;
}

std::vector<std::size_t> by_arrival(const Pass &pass) {
    std::vector<std::size_t> indices(pass.running.size());
    std::iota(indices.begin(), indices.end(), 0);
    std::sort(indices.begin(), indices.end(), [&](std::size_t left, std::size_t right) {
        const RunningJob &one = *pass.running[left].job;
        const RunningJob &other = *pass.running[right].job;
        return std::tie(one.arrival, one.id) < std::tie(other.arrival, other.id);
    });
    return indices;
}

} // namespace

std::vector<SharedNode> shared_nodes_of(const Pass &pass) {
    std::vector<SharedNode> by_node(pass.nodes.size());
    for (std::uint32_t node = 0; node < by_node.size(); node++) {
        by_node[node].node = {node};
        by_node[node].processors = by_node[node].free = pass.free[node];
        if (!pass.free.memory.empty())
            by_node[node].free_memory = pass.free.memory[node];
    }
    for (const std::size_t index : by_arrival(pass)) {
        const Running &running = pass.running[index];
        for (const auto &part : running.job->allotment)
            by_node[part.node.value].in_flux |= running.target.has_value();
        if (is_member(running))
            add_member(by_node[running.job->allotment.front().node.value], pass, index);
    }
    by_node.erase(std::remove_if(by_node.begin(), by_node.end(),
                                 [&](const SharedNode &machine) {
                                     return pass.nodes[machine.node.value].cores == 0;
                                 }),
                  by_node.end());
    return by_node;
}

bool can_share(const WaitingJob &job) {
    return job.virtually_malleable && job.min_nodes == 1 && !job.whole_nodes && job.company == 0;
}

std::int64_t memory_needed(const WaitingJob &job) {
    return memory_for(job, job.sizes.largest());
}

Application as_application(const WaitingJob &job, const Settings &settings) {
    const int processes = job.sizes.largest();
    Application application;
    application.requested = processes * job.cores_per_process;
    application.least = least_cores(job.malleable, processes, job.cores_per_process,
                                    std::min(settings.max_mpl, job.max_mpl));
    return application;
}

void add_newcomer(SharedNode &machine, const WaitingJob &job, const Settings &settings) {
    machine.newcomers.push_back(&job);
    machine.free_memory -= memory_needed(job);
    machine.applications.push_back(as_application(job, settings));
    machine.now.push_back(0);
}

int useful_cores(bool malleable, int cores_per_process, int unfolded, int share) {
    if (malleable || share == 0)
        return share / cores_per_process * cores_per_process;
    const int processes = unfolded / cores_per_process;
    const int places = std::max(share / cores_per_process, 1);
    return std::min(share, ceil_div(processes, ceil_div(processes, places)) * cores_per_process);
}

} // namespace vmall::policy::sharing
