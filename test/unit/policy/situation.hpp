// SPDX-License-Identifier: GPL-2.0-or-later
//
// Short words for building snapshots in tests, and for comparing what was decided as text.
#pragma once

#include "policy/scheduler.hpp"

#include <string>
#include <utility>
#include <vector>

namespace situation {

namespace policy = vmall::policy;

inline constexpr policy::Seconds now = 1000;

// A job by its id arrives at that second, so that ids are the order of arrival.
inline policy::WaitingJob rigid(std::uint32_t id, int processes, policy::Seconds estimate = 100) {
    policy::WaitingJob job;
    job.id = {id};
    job.arrival = id;
    job.sizes = {processes};
    job.max_nodes = 0;
    job.estimate = job.time_limit = estimate;
    return job;
}

inline policy::WaitingJob waiting(policy::JobClass job_class, std::uint32_t id, policy::Sizes sizes,
                                  policy::Seconds estimate) {
    policy::WaitingJob job = rigid(id, 1, estimate);
    job.job_class = job_class;
    job.virtually_malleable = true;
    job.sizes = std::move(sizes);
    job.max_nodes = 1;
    return job;
}

inline policy::WaitingJob short_job(std::uint32_t id, policy::Sizes sizes,
                                    policy::Seconds estimate = 100) {
    return waiting(policy::JobClass::short_job, id, std::move(sizes), estimate);
}

inline policy::WaitingJob long_job(std::uint32_t id, policy::Sizes sizes,
                                   policy::Seconds estimate = 1000) {
    return waiting(policy::JobClass::long_job, id, std::move(sizes), estimate);
}

// A job that was suspended, with that many cores of node 0 and up.
policy::WaitingJob suspended(policy::WaitingJob job, const std::vector<int> &cores_by_node);

// A rigid job that holds cores of node 0 and up, and ends so many seconds from now.
inline policy::RunningJob running(std::uint32_t id, std::vector<int> cores_by_node,
                                  policy::Seconds ends_in = 100) {
    policy::RunningJob job;
    job.id = {id};
    job.arrival = id;
    job.started = now - 100 + id;
    job.expected_end = now + ends_in;
    job.processes = 0;
    for (std::uint32_t node = 0; node < cores_by_node.size(); node++) {
        if (cores_by_node[node] > 0) {
            job.allotment.push_back({{node}, cores_by_node[node]});
            job.processes += cores_by_node[node];
        }
    }
    return job;
}

inline policy::RunningJob running_vm(policy::JobClass job_class, std::uint32_t id, int processes,
                                     std::vector<int> cores_by_node,
                                     policy::Seconds ends_in = 100) {
    policy::RunningJob job = running(id, std::move(cores_by_node), ends_in);
    job.job_class = job_class;
    job.virtually_malleable = job.resizable = true;
    job.processes = processes;
    return job;
}

inline policy::RunningJob running_short(std::uint32_t id, int processes, std::vector<int> cores,
                                        policy::Seconds ends_in = 100) {
    return running_vm(policy::JobClass::short_job, id, processes, std::move(cores), ends_in);
}

inline policy::RunningJob running_long(std::uint32_t id, int processes, std::vector<int> cores,
                                       policy::Seconds ends_in = 1000) {
    return running_vm(policy::JobClass::long_job, id, processes, std::move(cores), ends_in);
}

// A short job that was let in behind a head whose reserved start was so many seconds from now.
inline policy::RunningJob backfilled(policy::RunningJob job, policy::Seconds window_ends_in) {
    job.backfilled = true;
    job.window_end = now + window_ends_in;
    return job;
}

inline policy::RunningJob lost(policy::Seconds seconds, policy::RunningJob job) {
    job.lost = seconds;
    return job;
}

// It does not say how it is spread.
inline policy::WaitingJob anyhow(policy::WaitingJob job) {
    job.any_spread = true;
    job.max_nodes = 0;
    return job;
}

// With so many processes on each of its nodes, of a core each.
inline policy::RunningJob with_processes(const std::vector<int> &processes,
                                         policy::RunningJob job) {
    job.unfolded = job.allotment;
    for (std::size_t i = 0; i < processes.size(); i++)
        job.unfolded[i].cores = processes[i];
    return job;
}

template <class Job>
Job at_most_mpl(int max_mpl, Job job) {
    job.max_mpl = max_mpl;
    return job;
}

inline policy::RunningJob resizing(policy::RunningJob job, policy::CoreCounts target) {
    job.target = std::move(target);
    return job;
}

// Nodes with so many cores, free but for what the running jobs hold.
policy::Snapshot snapshot(const std::vector<int> &nodes, std::vector<policy::RunningJob> running,
                          std::vector<policy::WaitingJob> waiting);

// One line for each action:
//   start 2: 8 on 1x4            processes on nodes x cores; "8 anyhow" if not virtually malleable
//   start 2: 5 on 0:4 1:1        processes on node:cores that are not equal
//   start 3: 4 on 1x4 backfilled until 30 on nodes 0,2
//   resize 1: 0:4 1:4            node:cores
//   requeue 3                    and kill 3, suspend 3
//   resume 3 backfilled until 30
//   wait 4: waits for 8 cores
//   wait 5: waits for 8 cores, promised 8 on 0:4 1:4 in 30
std::string to_text(const std::vector<policy::Action> &actions);

} // namespace situation
