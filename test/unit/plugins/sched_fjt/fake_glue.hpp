// SPDX-License-Identifier: GPL-2.0-or-later
//
// A slurmglue without slurmctld: it answers what a test has put in, and notes what it was asked to
// do. Linked in place of the real one.
#pragma once

#include "slurmglue/job_start.h"
#include "slurmglue/job_view.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

struct FakeGlue {
    std::map<std::uint32_t, int> start_errors; // by job; the others start
    std::function<enum vmall_prospect(const vmall_start &)> prospect;
    std::set<std::uint32_t> may_not_preempt;
    time_t expected_start = 0;
    int requeue_error = 0;
    const char *contradiction = nullptr;
    std::map<std::uint32_t, vmall_job> active; // on node 0, from core 0 on
    std::vector<std::uint32_t> free_cores;     // there
    std::vector<std::uint32_t> withheld_cores; // there, by reservations
    std::uint32_t withheld_in = 0;             // seconds from now on
    bool has_step = true;                      // of every job, there
    int resize_error = 0;

    std::set<std::uint32_t> waiting; // to run again

    // What was asked for of time limits, argument by argument.
    using Arguments = std::array<std::uint32_t, 3>;
    std::vector<Arguments> job_limits, step_limits, taken_back;
    std::vector<std::uint32_t> limits_of_resizes; // in seconds
    bool record_number_is_asked_for = false;

    // By job.
    std::map<std::uint32_t, std::string> admin_comments, told_reasons;
    std::map<std::uint32_t, time_t> told_starts; // that are expected

    // Job ids, in the order of the questions.
    std::vector<std::uint32_t> tried, asked_for_prospect, asked_for_expected_start,
        asked_for_preemption;
    std::map<std::uint32_t, std::uint32_t> believed_cores; // by job, of the trials last
};

extern FakeGlue glue;
