// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurmctld says of jobs that run, to whoever may see them.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <slurm/slurm.h>
#include <string>

namespace vmall::vmctl {

struct SlurmJob {
    std::string name;
    std::uint32_t processes = 0; // that it asked for; 0: not known
    bool is_suspended = false;
};

struct SlurmJobs {
    std::map<std::uint32_t, SlurmJob> jobs;
    std::set<std::string> nodes; // that they have
};

SlurmJobs jobs_in(const job_info_msg_t &records);

// Throws std::runtime_error, with what libslurm says, if slurmctld does not tell.
SlurmJobs load_slurm_jobs();

} // namespace vmall::vmctl
