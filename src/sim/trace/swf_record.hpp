// SPDX-License-Identifier: GPL-2.0-or-later
//
// A line of a log in the Standard Workload Format, version 2.2
// (https://www.cs.huji.ac.il/labs/parallel/workload/swf.html).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vmall::sim {

// In the order of the line.
enum class SwfField {
    job_number,
    submit_time,
    wait_time,
    run_time,
    allocated_processors,
    average_cpu_time,
    used_memory,
    requested_processors,
    requested_time,
    requested_memory,
    status,
    user,
    group,
    executable,
    queue,
    partition,
    preceding_job,
    think_time,
    count
};

inline constexpr std::size_t swf_fields = static_cast<std::size_t>(SwfField::count);

// Values of the status field. A checkpointed job has a line as a whole and further ones for its
// parts.
enum class SwfStatus { failed, completed, part, last_part, failed_part, cancelled };

struct SwfRecord {
    // Times in milliseconds; -1: not known. Averages and memory are checked and kept without their
    // fraction.
    std::array<std::int64_t, swf_fields> values;

    std::int64_t operator[](SwfField field) const {
        return values[static_cast<std::size_t>(field)];
    }
};

// Throws BadLine that names the field. Times may have fractions. Job number and submit time must be
// known; a job number may be 0 (the trace of thesis figure 3.5 begins so).
SwfRecord parse_swf_line(std::string_view line);

} // namespace vmall::sim
