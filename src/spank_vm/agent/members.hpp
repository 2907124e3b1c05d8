// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who belongs to a job on this node, by one look at all processes.
#pragma once

#include "spank_vm/agent/job_state.hpp"

#include <vector>

namespace vmall::agent {

struct Members {
    std::vector<Process> all;       // but for the slurmstepds
    std::vector<Process> relatives; // but for who is only found by a cgroup
    bool has_orphans = false;       // some of these have lost their slurmstepd
};

// The processes of the job's steps, and the orphans with all below them (lost_steps.hpp).
std::vector<Process> relatives_of(const JobState &job, const std::vector<Process> &orphans,
                                  const ProcessTable &processes);

// `grouped`: who is in the job's cgroups.
Members members_of(const JobState &job, const std::vector<Process> &orphans,
                   const std::vector<Process> &grouped, const ProcessTable &processes);

} // namespace vmall::agent
