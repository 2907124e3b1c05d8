// SPDX-License-Identifier: GPL-2.0-or-later
//
// What sched/fjt did since slurmctld started, for `vmctl stats`.
#pragma once

#include <cstdint>

namespace vmall::sched {

struct Counters {
    std::uint64_t passes = 0;
    std::uint64_t pass_microseconds = 0; // without waiting for slurmctld's locks
    std::uint64_t pass_longest_microseconds = 0;
    std::uint64_t locked_microseconds = 0; // that passes kept others from reading jobs
    std::uint64_t locked_longest_microseconds = 0;
    std::uint64_t starts = 0;
    std::uint64_t folded_starts = 0;
    std::uint64_t backfilled = 0;
    std::uint64_t folds = 0;
    std::uint64_t unfolds = 0;
    std::uint64_t windows_expired = 0; // backfilled jobs folded or requeued
    std::uint64_t requeues = 0;
    std::uint64_t refusals_by_slurm = 0;      // starts that Slurm did not allow
    std::uint64_t refusals_by_limits = 0;     // unfolds that a limit forbade
    std::uint64_t refusals_by_accounting = 0; // resizes that slurmdbd was not ready for
    std::uint64_t refusals_by_nodes = 0;
    std::uint64_t unanswered = 0;   // messages to nodes
    std::uint64_t cores_without_memory = 0;   // at this moment: memory.hpp
    std::uint64_t core_seconds_without_memory = 0;
    std::uint64_t core_seconds = 0; // held by virtually malleable jobs that have ended
};

} // namespace vmall::sched
