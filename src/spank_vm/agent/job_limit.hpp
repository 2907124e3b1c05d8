// SPDX-License-Identifier: GPL-2.0-or-later
//
// The time limit of a running job, as squeue tells it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vmall::agent {

struct JobLimit {
    std::string name;           // as scontrol takes it: one task of an array, not all of them
    std::optional<int> minutes; // nothing: no limit
    std::string first_node;     // of those that the job has
};

// What squeue is to be asked, and what its answer says of the job. Nothing: the job has ended.
// Throws std::runtime_error, with the answer, if that is an error.
std::vector<std::string> ask_for_limit(std::uint32_t job_id);
std::optional<JobLimit> limit_by(const std::string &answer, std::uint32_t job_id);

} // namespace vmall::agent
