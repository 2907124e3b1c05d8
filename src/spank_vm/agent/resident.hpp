// SPDX-License-Identifier: GPL-2.0-or-later
//
// What whoever deals a node's cores knows of a job on it.
#pragma once

#include "spank_vm/agent/job_state.hpp"

namespace vmall::agent {

struct Resident {
    std::uint32_t job_id = 0;
    JobState state;
    int cores_per_rank = 1;
};

} // namespace vmall::agent
