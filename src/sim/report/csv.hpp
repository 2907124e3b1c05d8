// SPDX-License-Identifier: GPL-2.0-or-later
//
// Outcomes as comma-separated values for programs: a line of column names, then data. Times are in
// seconds since the start of the workload, with a fraction where there is one; text that needs it
// is in double quotes (RFC 4180). Writing errors are left in the state of the stream.
#pragma once

#include "sim/engine/outcome.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace vmall::sim {

// As a field: text in quotes if it needs them, numbers with no more than six decimals.
std::string csv_field(const std::string &text);
std::string csv_number(double value);

// A line for each job, in the order of the workload:
//   job, user, application, class (short, long)
//   submit, start, end             start: the first one; both empty if it never started
//   state                          completed, killed, never_started
//   wait, response, run_time       seconds; see measures.hpp, as the next two
//   slowdown, bounded_slowdown
//   processes                      of its last start
//   average_allotment              cores
//   starts                         more than one if it was requeued
//   backfilled                     yes, no
//   folds, unfolds, expiries
//   core_seconds, wasted_core_seconds
//   selected                       yes, no: whether it counts in the statistics
// What a job that never started has no value for is empty.
void write_jobs(std::ostream &out, const Outcome &outcome, const std::vector<bool> &selected,
                Milliseconds slowdown_bound);

// job, begin, end, cores, mpl: a line for each time that a job kept an allotment, by job in the
// order of the workload, then time. Needs recorded allotments, as the next one.
void write_allotments(std::ostream &out, const Outcome &outcome);

// time, cores_used, jobs_running, jobs_waiting: a line for each time at which one of them changes;
// they are what it says from then on.
void write_usage(std::ostream &out, const Outcome &outcome);

} // namespace vmall::sim
