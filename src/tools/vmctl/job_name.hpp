// SPDX-License-Identifier: GPL-2.0-or-later
//
// A job as squeue names it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace vmall::vmctl {

struct JobName {
    std::uint32_t job = 0;             // 1 to wire::highest_id; of an array
    std::optional<std::uint32_t> task; // of that
};

// "17" or "17_3". Throws std::invalid_argument, whose text says what is accepted.
JobName parse_job_name(const std::string &text);

// Its number. Of a task slurmctld is asked, with init_slurm(). Throws std::runtime_error if it
// knows none of its own.
std::uint32_t number_of(const JobName &name);

} // namespace vmall::vmctl
