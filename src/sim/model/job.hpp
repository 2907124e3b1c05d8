// SPDX-License-Identifier: GPL-2.0-or-later
//
// A job of a workload: what it asks for, which everybody sees, and how it behaves, which no policy
// does before it has happened.
#pragma once

#include "policy/model.hpp"
#include "sim/model/speedup.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vmall::sim {

// The simulator's clock. Policies see whole seconds, as in slurmctld.
using Milliseconds = std::int64_t;

struct Job {
    std::uint32_t id = 0;    // 1 or more, unique in its workload
    Milliseconds submit = 0; // since the start of the workload

    policy::JobClass job_class = policy::JobClass::short_job;
    bool virtually_malleable = false;
    policy::Sizes sizes; // accepted process counts, at least one
    int cores_per_process = 1;
    // Over how many its processes are spread, equally; 0: over any, as there is room.
    int nodes = 0;
    policy::Seconds estimate = 0;   // by its user; 0: none
    policy::Seconds time_limit = 0; // after which it is killed; 0: none

    Milliseconds runtime = 0; // true, when alone and unfolded with `runtime_processes`
    int runtime_processes = 1;
    SpeedupPointer speedup; // with other numbers of processes; null: linear
    // Of the time of its processes on cores of their own, what they do not wait, in percent: 1 to
    // 100. Folded, others fill the rest.
    std::optional<int> useful_percent;
    bool useful_by_efficiency = false; // instead, by `speedup`, which is there (useful_share.hpp)
    // Of each of its cores, in KiB, as recorded; 0: not known.
    std::int64_t requested_memory = 0;
    std::int64_t used_memory = 0; // at its peak
    // It changes its number of processes with its cores instead of folding (OpenMP; Corbalan's
    // thesis). The policies see it as virtually malleable.
    bool malleable = false;

    std::optional<Milliseconds>
        recorded_start; // where it was recorded, with `runtime` from then on
    // Held there; fewer than unfolded if it was folded.
    std::optional<double> recorded_core_seconds;

    std::string application; // a name for tables; may be empty
    std::string user;
    std::string account;
    std::string partition;
};

struct Workload {
    std::string source;          // file or generator, for reports
    std::vector<Job> jobs;       // by submission, then id
    int processors = 0;          // of the machine it was recorded on; 0: not known
    std::int64_t unix_start = 0; // time 0, in seconds since 1970; 0: not known
};

} // namespace vmall::sim
