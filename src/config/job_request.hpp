// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a user asks for with the --vm-* options, and how it travels: sbatch, salloc and srun check
// it and put it into the job's SPANK environment; the controller parses the same text again, as
// input it does not trust.
#pragma once

#include "common/sizes.hpp"
#include "config/runtime_settings.hpp"
#include "policy/model.hpp"

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace vmall::config {

// Variables of the job's SPANK environment (spank_job_control_setenv).
inline constexpr const char *env_class = "VMALL_CLASS";              // "short" or "long"
inline constexpr const char *env_procs = "VMALL_PROCS";              // as typed
inline constexpr const char *env_estimate = "VMALL_ESTIMATE";        // seconds, decimal
inline constexpr const char *env_runtime = "VMALL_RUNTIME_SETTINGS"; // --vm-runtime as typed
inline constexpr const char *env_no_vm = "VMALL_NO_VM";              // "1"
// "1", by slurmctld when it starts a job that takes part without having asked (TakePart).
inline constexpr const char *env_takes_part = "VMALL_TAKES_PART";
// "1", by an srun that has no job yet: it asks for a step of as many CPUs as its tasks want,
// whatever the job has got.
inline constexpr const char *env_starts_unfolded = "VMALL_STARTS_UNFOLDED";
// Not a part of the request: in the environment of a job whose processes are not equally many on
// each node. spank_vm tells its script by SLURM_TASKS_PER_NODE.
inline constexpr const char *env_tasks_per_node = "VMALL_TASKS_PER_NODE";
// Likewise of a job that starts folded, how many CPUs it would have on each node unfolded: its
// script finds them in SLURM_JOB_CPUS_PER_NODE and SLURM_CPUS_ON_NODE.
inline constexpr const char *env_cpus_per_node = "VMALL_CPUS_PER_NODE";

inline constexpr int highest_process_count = 65536;
inline constexpr std::size_t highest_variable_count = 4096; // of all, others' too
inline constexpr policy::Seconds highest_time = 3650LL * 24 * 60 * 60;

class RequestError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// --vm-procs: a comma-separated list of counts (`16,8,4`), ranges (`1-60`), `pow2:N` (1, 2, 4 … up
// to N) and `square:N` (1, 4, 9 … up to N). Throws RequestError with a reason a user
// understands.
common::Sizes parse_sizes(const std::string &text);

// "short" or "long" in any case; throws RequestError.
policy::JobClass parse_class(const std::string &text);

// A time as Slurm's --time takes it: minutes, minutes:seconds, hours:minutes:seconds, days-hours,
// days-hours:minutes, days-hours:minutes:seconds. Seconds, 1 to highest_time; throws RequestError.
policy::Seconds parse_time(const std::string &text);

struct JobRequest {
    bool asked = false; // for virtual malleability, by any of the four options below
    std::optional<policy::JobClass> job_class;
    common::Sizes sizes; // empty: only the count the job was submitted with
    std::optional<policy::Seconds> estimate;
    std::optional<RuntimeRequest> runtime;
    bool opted_out = false;       // --no-vm; excludes asked
    bool starts_unfolded = false; // its step is asked for as if the job were never folded
    bool takes_part = false; // as slurmctld has noted; means nothing before the job has started
};

// Reads the variables above from `NAME=value` entries, each with or without Slurm's SPANK_ prefix;
// other entries are ignored. Throws RequestError, beginning with the variable's name, for a value
// that our own options would not have sent, a variable given twice, a contradiction, and more than
// highest_variable_count entries.
// Of other entries only the first few bytes are read, and of no value more than it may have: this
// is done again and again, under slurmctld's locks.
JobRequest parse_environment(const char *const *environment, std::size_t count);

} // namespace vmall::config
