// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurmdbd keeps of a job that shared its cores where no controller of ours notes it
// (mode=node).
#pragma once

#include "spank_vm/agent/slurm_command.hpp"

#include <cstdint>
#include <string>

namespace vmall::agent {

// Notes it in the job's AdminComment, if nobody has written there. Slurm takes that while the job
// runs, and gives it to slurmdbd with its end: a job that was cancelled, or has reached its limit,
// gets none. Throws as run_slurm(), and std::runtime_error if slurmctld refuses.
void note_in_admin_comment(std::uint32_t job_id, const std::string &note, const RunSlurm &run);

} // namespace vmall::agent
