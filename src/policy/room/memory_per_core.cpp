// SPDX-License-Identifier: GPL-2.0-or-later
//
// Means by cores: a job that has twice as many counts twice.
#include "policy/room/memory_per_core.hpp"

#include <algorithm>

namespace vmall::policy {

namespace {

double memory_of_all(const Demand &job, int processes, std::size_t nodes) {
    return static_cast<double>(job.memory_per_process) * processes +
           static_cast<double>(job.memory_per_node) * static_cast<double>(nodes);
}

double cores_of_all(const Demand &job, int processes) {
    return static_cast<double>(job.cores_per_process) * processes;
}

} // namespace

double memory_per_core(const WaitingJob &job, std::size_t nodes) {
    const int processes = job.sizes.largest();
    return memory_of_all(job, processes, nodes) / cores_of_all(job, processes);
}

double memory_per_core(const RunningJob &job) {
    return memory_of_all(job, job.processes, job.allotment.size()) /
           cores_of_all(job, job.processes);
}

void MemoryPerCore::add(const Node &node) {
    if (node.memory == 0)
        return;
    of_nodes_.memory += static_cast<double>(node.memory);
    of_nodes_.cores += node.cores;
}

void MemoryPerCore::add(const WaitingJob &job) {
    const int processes = job.sizes.largest();
    of_jobs_.memory += memory_of_all(job, processes, static_cast<std::size_t>(job.min_nodes));
    of_jobs_.cores += cores_of_all(job, processes);
}

void MemoryPerCore::add(const RunningJob &job) {
    of_jobs_.memory += memory_of_all(job, job.processes, job.allotment.size());
    of_jobs_.cores += cores_of_all(job, job.processes);
}

bool MemoryPerCore::is_left_beside(double needed) const {
    constexpr double rounding = 1.001;
    return needed <= 0 || of_nodes_.cores <= 0 ||
           std::max(needed, of_jobs_.value()) + of_jobs_.value() <= of_nodes_.value() * rounding;
}

MemoryPerCore memory_per_core(const Snapshot &snapshot) {
    MemoryPerCore result;
    for (const Node &node : snapshot.nodes)
        result.add(node);
    for (const WaitingJob &job : snapshot.waiting)
        result.add(job);
    for (const RunningJob &job : snapshot.running)
        result.add(job);
    return result;
}

} // namespace vmall::policy
