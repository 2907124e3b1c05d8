// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is made of a job that a log recorded: logs do not say which jobs are short, or would have
// been virtually malleable.
#pragma once

#include "sim/model/job.hpp"
#include "sim/trace/size_rule.hpp"
#include "sim/trace/speedup_spec.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace vmall::sim {

// Jobs that ran longer than the time that was requested for them.
enum class Overrun {
    as_recorded,    // run as long as they did; the estimate was too low
    raise_estimate, // the estimate is what they ran
    kill            // every job with a requested time is killed when it has run for that time
};

// How many processors a job holds if the log says both: which it had, and which it asked for. If
// one is not known it is the other.
enum class Processors { allocated, requested };

// When a job arrives if the log says both: when it was submitted, or when it could have been
// started for the first time (after the jobs it depends on, its begin time, a hold).
enum class Arrival { eligible, submitted };

// Which jobs are taken to be virtually malleable, with which sizes besides the one they ran with,
// and how their speed depends on the size.
struct Malleability {
    double share = 0; // of the jobs below, from 0 to 1, drawn by job id and seed
    std::uint64_t seed = 1;
    std::set<std::string> partitions;          // only jobs of these; empty: of any
    std::set<std::string> users;               // only jobs of these; empty: of any
    std::optional<policy::JobClass> job_class; // only jobs of this class
    SizeRule sizes;
    SpeedupSpec speedup;
};

struct Treatment {
    // As vmall.conf's ClassByPartition and ShortTimeLimit: by partition, else short if the
    // requested time is known and up to the limit, else long.
    std::map<std::string, policy::JobClass> class_by_partition;
    policy::Seconds short_time_limit = 10 * 60;
    Processors processors = Processors::allocated;
    Overrun overrun = Overrun::as_recorded;
    Arrival arrival = Arrival::eligible;
    Malleability malleability;
};

// Facts about a program that a log may state; see swf.hpp.
struct Executable {
    std::string application;
    bool virtually_malleable = true;
    bool malleable = false; // as Job::malleable
    int cores_per_process = 1;
    SizeRule sizes;
    SpeedupSpec speedup;
};

// What a log says about a job.
struct RecordedJob {
    std::uint32_t id = 0;
    Milliseconds submit = 0;
    std::optional<Milliseconds> start;
    Milliseconds runtime = 0;
    int allocated = 0; // processors; 0: not known. One of the two is known.
    int requested = 0;
    policy::Seconds requested_time = 0; // 0: not known
    std::string user;
    std::string account;
    std::string partition;              // or queue
    std::optional<int> useful_percent;  // Job's
    std::optional<double> core_seconds; // held in fact; empty: not known
    std::int64_t requested_memory = 0;  // Job's
    std::int64_t used_memory = 0;       // Job's
    std::optional<policy::JobClass> job_class;
    const Executable *executable = nullptr; // not known: the treatment decides
};

// Throws BadLine if the processors are no multiple of the executable's cores per process.
Job treated(const RecordedJob &recorded, const Treatment &treatment);

} // namespace vmall::sim
