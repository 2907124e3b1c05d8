// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a user asks for with the --vm-* options, and how it travels: sbatch, salloc and srun check it and
// put it into the job's SPANK environment; the controller parses the same text again, as input it does
// not trust.
#pragma once

#include "policy/model.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace vmall::config {

// Variables of the job's SPANK environment (spank_job_control_setenv).
inline constexpr const char *env_class = "VMALL_CLASS";       // "short" or "long"
inline constexpr const char *env_procs = "VMALL_PROCS";       // as typed
inline constexpr const char *env_estimate = "VMALL_ESTIMATE"; // seconds, decimal
inline constexpr const char *env_no_vm = "VMALL_NO_VM";       // "1"

inline constexpr int highest_process_count = 65536;

class RequestError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// --vm-procs: a comma-separated list of counts (`16,8,4`), ranges (`1-60`), `pow2:N` (1, 2, 4 … up to N) and
// `square:N` (1, 4, 9 … up to N). Returns them ascending without repeats; throws RequestError with a reason
// a user understands.
std::vector<int> parse_sizes(const std::string &text);

policy::JobClass parse_class(const std::string &text);

// A time as Slurm's --time takes it: minutes, minutes:seconds, hours:minutes:seconds, days-hours,
// days-hours:minutes, days-hours:minutes:seconds. Positive and finite, in seconds.
policy::Seconds parse_time(const std::string &text);

} // namespace vmall::config
