// SPDX-License-Identifier: GPL-2.0-or-later
//
// A line of sacct, and the records of one job put together.
#pragma once

#include "sim/trace/sacct_columns.hpp"
#include "sim/trace/sacct_time.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace vmall::sim {

// From what may still change to what does not.
enum class SacctState { not_started, running, resized, elsewhere, cancelled, ended };

struct SacctRecord {
    std::size_t line = 0; // of the file
    std::string id;       // as printed: 123, 123_4, 123+0
    SacctState state = SacctState::ended;
    policy::Seconds submit = 0;
    std::optional<policy::Seconds> eligible;
    std::optional<policy::Seconds> start; // empty: not started, or there is no such column
    // By its times it started before it was submitted or ended before it started, by an hour at the
    // most and without a time zone: clocks were set back.
    bool clocks_set_back = false;
    policy::Seconds elapsed = 0;
    int cpus = 0;
    double cpu_seconds = 0;         // held in fact, of a job that is put together
    policy::Seconds time_limit = 0; // 0: none
    std::string user;
    std::string partition;
    std::string account;
    // As its AdminComment has them (common/job_note.hpp).
    int mpl = 1; // processes per core, from 1 up
    std::optional<int> useful_percent;
    // KiB, of all its CPUs; 0: not known.
    std::int64_t requested_memory = 0;
    std::int64_t used_memory = 0; // of the step that used most
};

struct SacctStep {
    std::string job;              // its id
    std::int64_t used_memory = 0; // KiB, as if all its tasks had used what one did; 0: not known
};

// `zoned` is whether the times of the file so far had a time zone; empty before the first. Throws
// BadLine that names the column.
std::variant<SacctRecord, SacctStep>
parse_sacct_line(std::string_view line, const SacctColumns &columns, std::optional<bool> &zoned);

// A job made of its records, in the order of their submission. A resized or folded job's CPUs are
// those of its first record, unfolded, its elapsed time what its work takes with these: to a job
// that waits folding costs less than the CPUs that it lacks.
struct SacctJob {
    SacctRecord record;     // the last run's, but submitted and eligible as in the first record
    std::size_t copies = 0; // of records, in dumps of times that overlap
    std::size_t earlier_runs = 0;   // that were requeued
    const char *left_out = nullptr; // why; null: it is a job to simulate
};
SacctJob put_together(std::vector<SacctRecord> records);

} // namespace vmall::sim
