// SPDX-License-Identifier: GPL-2.0-or-later
//
// What became of a workload under a policy.
#pragma once

#include "sim/model/job.hpp"

#include <vector>

namespace vmall::sim {

enum class End {
    completed,
    killed,       // at its time limit, or because its window had expired
    never_started // it fits no state of the machine, or the policy let it wait for ever
};

// From `begin` until the next one of the job, or its end.
struct AllotmentChange {
    Milliseconds begin = 0;
    int cores = 0; // 0: suspended or requeued
    int mpl = 1;
};

struct JobOutcome {
    const Job *job = nullptr; // of the workload
    End end = End::never_started;
    Milliseconds started = 0; // for the first time
    Milliseconds ended = 0;
    Milliseconds held = 0; // how long it had cores, all starts; it waited the rest of its stay
    int processes = 0;     // of its last start
    bool backfilled = false;
    int folds = 0;                           // times it was told to shrink
    int unfolds = 0;                         // times it grew
    int expiries = 0;                        // of its window, that something was done about
    int starts = 0;                          // more than one if it was requeued
    std::int64_t core_milliseconds = 0;      // all starts
    std::int64_t wasted = 0;                 // of these, thrown away by requeueing or killing
    std::vector<AllotmentChange> allotments; // empty unless recording was asked for
};

struct Outcome {
    std::vector<JobOutcome> jobs; // in the order of the workload
    int cores = 0;                // of the machine
    std::int64_t decisions = 0;   // times the policy was asked
};

} // namespace vmall::sim
