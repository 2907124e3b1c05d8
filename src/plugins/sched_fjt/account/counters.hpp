// SPDX-License-Identifier: GPL-2.0-or-later
//
// What sched/fjt did since slurmctld started, for `vmctl stats` and `vmctl metrics`.
#pragma once

#include "common/distribution.hpp"
#include "plugins/sched_fjt/account/tally.hpp"

#include <cstdint>

namespace vmall::sched {

// From when the decision to resize a job is carried out until all of its nodes have confirmed it.
using ResizeTimes = common::Distribution<12>;
inline constexpr std::array<double, 12> resize_time_bounds{0.005, 0.01, 0.025, 0.05, 0.1, 0.25,
                                                           0.5,   1,    2.5,   5,    10,  60}; // s

struct Counters {
    std::uint64_t passes = 0;
    std::uint64_t pass_microseconds = 0; // without waiting for slurmctld's locks
    std::uint64_t pass_longest_microseconds = 0;
    std::uint64_t locked_microseconds = 0; // that passes kept others from reading jobs
    std::uint64_t locked_longest_microseconds = 0;
    std::uint64_t starts = 0;
    std::uint64_t folded_starts = 0;
    std::uint64_t backfilled = 0;
    Tally<3> folds;   // partition, class, what for
    Tally<2> unfolds; // partition, class
    ResizeTimes fold_times{resize_time_bounds};
    ResizeTimes unfold_times{resize_time_bounds};
    std::uint64_t windows_expired = 0; // backfilled jobs folded or requeued
    std::uint64_t requeues = 0;
    std::uint64_t refusals_by_slurm = 0;      // starts that Slurm did not allow
    std::uint64_t refusals_by_limits = 0;     // unfolds that a limit forbade
    std::uint64_t refusals_by_accounting = 0; // resizes that slurmdbd was not ready for
    Tally<2> refusals_by_nodes;               // node, why
    Tally<1> unanswered;                      // messages to this node
    std::uint64_t cores_without_memory = 0;   // at this moment: memory.hpp
    std::uint64_t core_seconds_without_memory = 0;
    std::uint64_t core_seconds = 0; // held by virtually malleable jobs that have ended
    double core_seconds_lent = 0;   // lending.hpp
    double core_seconds_lost = 0;
};

} // namespace vmall::sched
