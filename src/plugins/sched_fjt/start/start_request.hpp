// SPDX-License-Identifier: GPL-2.0-or-later
//
// A decision to start a job, as slurmglue takes it. A shape is in cores, but Slurm selects by CPUs:
// where nodes differ in threads per core, the job is kept to those like the ones it was counted on.
#pragma once

#include "plugins/sched_fjt/see/node_kinds.hpp"
#include "plugins/sched_fjt/see/view.hpp"
#include "policy/room/room.hpp"
#include "slurmglue/job_start.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

namespace vmall::sched {

class StartRequest {
  public:
    // `job` must be there as long as this is used.
    StartRequest(const View &view, const JobView &job, const policy::Start &start)
        : shape_{static_cast<std::uint32_t>(start.processes),
                 static_cast<std::uint32_t>(start.nodes),
                 static_cast<std::uint32_t>(start.cores_per_node),
                 static_cast<std::uint32_t>(job.cpus_per_task),
                 static_cast<std::uint32_t>(start.mpl),
                 start.cores_per_node == 0 ? cores_of(job, start) : 0,
                 nullptr} {
        for (const policy::NodeIndex node : nodes_for(view, job, start))
            only_.push_back(node.value);
        if (job.any_spread && !start.unfolded.empty()) {
            for (const policy::NodeCores &part : start.unfolded)
                tasks_on_.push_back(static_cast<std::uint32_t>(part.cores / job.cores_per_task));
            shape_.tasks_on = tasks_on_.data();
        }
        request_ = {job.id,
                    job.partition.c_str(),
                    job.virtually_malleable ? &shape_ : nullptr,
                    only_.data(),
                    static_cast<std::uint32_t>(only_.size()),
                    start.backfilled,
                    job.virtually_malleable && job.by_default};
    }
    StartRequest(const StartRequest &) = delete;
    StartRequest &operator=(const StartRequest &) = delete;

    const vmall_start *get() const { return &request_; }

    // It goes just where it is counted on.
    static bool is_unequal(const policy::Start &start) {
        return start.nodes > 0 && start.cores_per_node == 0 && !start.unfolded.empty();
    }

  private:
    static std::uint32_t cores_of(const JobView &job, const policy::Start &start) {
        const int least = std::max(policy::ceil_div(start.processes, start.mpl), start.nodes);
        return static_cast<std::uint32_t>(is_unequal(start) ? policy::cores_of(start.counted_on)
                                                            : least * job.cores_per_task);
    }

    // Empty: any.
    static std::vector<policy::NodeIndex> nodes_for(const View &view, const JobView &job,
                                                    const policy::Start &start) {
        if (is_unequal(start))
            return policy::nodes_of(start.counted_on);
        return start.on.empty() && job.virtually_malleable ? alike(view, job, start.counted_on)
                                                           : start.on;
    }

    // Empty: all nodes are. One that Slurm's table no longer has is like no other.
    static std::vector<policy::NodeIndex> alike(const View &view, const JobView &job,
                                                const policy::CoreCounts &counted_on) {
        const auto threads = [&](policy::NodeIndex node) {
            const auto found = view.nodes.find(node.value);
            return found == view.nodes.end() ? 0 : found->second.threads_per_core;
        };
        const int here = counted_on.empty() ? NodeKinds(view).of(job.eligible).threads_of_most
                                            : threads(counted_on.front().node);
        if (std::all_of(view.nodes.begin(), view.nodes.end(),
                        [&](const auto &node) { return node.second.threads_per_core == here; }))
            return {};
        std::vector<policy::NodeIndex> nodes;
        std::copy_if(job.eligible.begin(), job.eligible.end(), std::back_inserter(nodes),
                     [&](policy::NodeIndex node) { return threads(node) == here; });
        return nodes;
    }

    vmall_shape shape_;
    std::vector<std::uint32_t> only_;
    std::vector<std::uint32_t> tasks_on_;
    vmall_start request_{};
};

} // namespace vmall::sched
