// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the policies are told about a job.
#include "sim/engine/submission.hpp"

#include "policy/room/room.hpp"

#include <algorithm>
#include <limits>

namespace vmall::sim {

namespace {

constexpr policy::Seconds never = std::numeric_limits<policy::Seconds>::max();

policy::Seconds end_after(policy::Seconds started, policy::Seconds duration) {
    return duration > 0 && duration < never - started ? started + duration : never;
}

int nodes_of(const Job &job, const Extent &machine) {
    if (job.nodes > 0)
        return job.nodes;
    std::int64_t processes_per_node = machine.cores_of_largest_node / job.cores_per_process;
    if (const std::int64_t needed = memory_per_process(job, machine.memory); needed > 0)
        processes_per_node = std::min(processes_per_node, machine.cores_of_largest_node *
                                                              machine.memory.per_core / needed);
    const int most = static_cast<int>(std::max<std::int64_t>(processes_per_node, 1));
    return std::min(policy::ceil_div(job.sizes.largest(), most), machine.nodes);
}

} // namespace

policy::WaitingJob waiting_job(const Job &job, policy::JobId id, const Extent &machine,
                               bool rigid) {
    policy::WaitingJob waiting;
    waiting.id = id;
    waiting.arrival = job.submit / 1000;
    waiting.job_class = job.job_class;
    waiting.virtually_malleable = !rigid && (job.virtually_malleable || job.malleable);
    waiting.malleable = !rigid && job.malleable;
    waiting.sizes = job.sizes;
    waiting.cores_per_process = job.cores_per_process;
    waiting.memory_per_process = memory_per_process(job, machine.memory);
    if (waiting.virtually_malleable) {
        waiting.min_nodes = nodes_of(job, machine);
        waiting.max_nodes = job.nodes > 0 ? job.nodes : 0;
        waiting.any_spread = job.nodes == 0 && !job.malleable;
    } else {
        waiting.min_nodes = std::max(job.nodes, 1);
        waiting.max_nodes = job.nodes;
    }
    waiting.estimate = job.estimate > 0 ? job.estimate : job.time_limit;
    waiting.time_limit = job.time_limit;
    return waiting;
}

policy::WaitingJob suspended_job(const Job &job, const policy::RunningJob &suspended,
                                 policy::Seconds now) {
    policy::WaitingJob waiting = waiting_job(job, suspended.id, {}, !suspended.virtually_malleable);
    waiting.min_nodes = waiting.max_nodes = static_cast<int>(suspended.allotment.size());
    waiting.sizes = {suspended.processes};
    waiting.memory_per_process = suspended.memory_per_process;
    waiting.resumes_on = suspended.allotment;
    waiting.unfolded = suspended.unfolded;
    const auto left = [now](policy::Seconds end) {
        return end < never ? std::max<policy::Seconds>(end - now, 1) : 0;
    };
    waiting.estimate = left(expected_end(job, suspended.started, suspended.lost, now));
    waiting.time_limit = left(end_after(suspended.started + suspended.lost, job.time_limit));
    return waiting;
}

policy::Seconds estimate_of(const Job &job) {
    if (job.estimate <= 0 || job.time_limit <= 0)
        return std::max(job.estimate, job.time_limit);
    return std::min(job.estimate, job.time_limit);
}

policy::Seconds expected_end(const Job &job, policy::Seconds started, policy::Seconds lost,
                             policy::Seconds now) {
    const auto by_limit = end_after(started + lost, job.time_limit);
    const auto by_estimate = job.estimate > 0 ? end_after(started + lost, job.estimate) : by_limit;
    return by_estimate > now ? std::min(by_estimate, by_limit) : by_limit;
}

} // namespace vmall::sim
