// SPDX-License-Identifier: GPL-2.0-or-later
//
// A decision to start a job, as slurmglue takes it.
#pragma once

#include "plugins/sched_fjt/view.hpp"
#include "policy/model.hpp"
#include "slurmglue/job_start.h"

#include <cstdint>
#include <vector>

namespace vmall::sched {

class StartRequest {
  public:
    // `job` must be there as long as this is used.
    StartRequest(const JobView &job, const policy::Start &start)
        : shape_{static_cast<std::uint32_t>(start.processes),
                 static_cast<std::uint32_t>(start.nodes),
                 static_cast<std::uint32_t>(start.cores_per_node)} {
        for (const policy::NodeIndex node : start.on)
            only_.push_back(node.value);
        request_ = {job.id,
                    job.partition.c_str(),
                    job.virtually_malleable ? &shape_ : nullptr,
                    only_.data(),
                    static_cast<std::uint32_t>(only_.size()),
                    start.backfilled};
    }
    StartRequest(const StartRequest &) = delete;
    StartRequest &operator=(const StartRequest &) = delete;

    const vmall_start *get() const { return &request_; }

  private:
    vmall_shape shape_;
    std::vector<std::uint32_t> only_;
    vmall_start request_{};
};

} // namespace vmall::sched
