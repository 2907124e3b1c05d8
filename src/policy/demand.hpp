// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a job wants, whether it waits or runs.
#pragma once

#include "common/job_class.hpp"

#include <cstdint>

namespace vmall::policy {

using Seconds = std::int64_t; // wall clock, since the epoch or as a span

struct JobId {
    std::uint32_t value = 0;
    friend bool operator==(JobId a, JobId b) { return a.value == b.value; }
    friend bool operator<(JobId a, JobId b) { return a.value < b.value; }
};

using common::JobClass;

inline constexpr int highest_mpl = 4; // thesis ch. 4: folding deeper does not pay

struct Demand {
    JobId id;
    Seconds arrival = 0;   // orders jobs; equal arrivals are ordered by their position in the queue
    std::int64_t tier = 0; // nobody of a higher one is folded for a job of a lower one
    JobClass job_class = JobClass::short_job;
    bool virtually_malleable = false;
    // Also virtually malleable, but its processes become fewer and more with its cores: it is never
    // folded, and any number from 1 up to its processes does (OpenMP).
    bool malleable = false;
    int cores_per_process = 1;
    // MiB, from its start to its end, however folded: of each process, and beside these of each
    // node that it has some on. 0: not counted.
    std::int64_t memory_per_process = 0;
    std::int64_t memory_per_node = 0;
    // It is not folded any deeper, and unfolded if it is, whatever the settings allow others; at
    // least 1.
    int max_mpl = highest_mpl;
    Seconds estimate = 0;    // how long its user says it runs, unfolded; none (0): not known
    Seconds likely_work = 0; // how long it runs, if that is longer (overruns.hpp)
};

inline bool needs_memory(const Demand &job) {
    return job.memory_per_process > 0 || job.memory_per_node > 0;
}

// On a node where it has so many processes; at least 1.
inline std::int64_t memory_for(const Demand &job, std::int64_t processes) {
    return job.memory_per_node + processes * job.memory_per_process;
}

} // namespace vmall::policy
