// SPDX-License-Identifier: GPL-2.0-or-later
//
// Applications whose execution times were measured: what generated jobs run.
#pragma once

#include "policy/model.hpp"
#include "sim/model/speedup.hpp"
#include "sim/trace/size_rule.hpp"

#include <istream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vmall::sim {

struct Application {
    std::string name;
    policy::JobClass job_class = policy::JobClass::short_job;
    SizeRule sizes;
    // Seconds alone on as many processors as processes, ascending by processes, at least one.
    std::vector<std::pair<int, double>> times;
    SpeedupPointer speedup; // table_speedup(times)

    // Between and beyond the measured numbers as table_speedup() has it.
    double seconds(int processes) const;

    // Speed-up with so many processes over their number.
    double efficiency(int processes) const;
};

// The applications of Utrera's thesis: tables 3.2 and 3.3.
const std::vector<Application> &thesis_applications();

// These, and those that the papers' evaluations run though no table lists them: BT.W (as LU.W, but
// on square numbers of processes) and EP.C (four times EP.B, by the NAS benchmarks' problem sizes;
// a long one).
const std::vector<Application> &paper_applications();

// The same, accepting no fewer processes than `smallest` (1 or more): at least the most that it was
// measured with remain.
Application with_smallest_size(Application application, int smallest);

// A table as lines of comma-separated values; `#` begins a comment, empty lines are ignored:
//
//   app,class,sizes,1,8,16
//   LU.A,long,pow2,1940,168,61
//
// The first line names the columns: `app`, `class` (short or long), `sizes` (see SizeRule; a list's
// commas are written as spaces) and numbers of processes, ascending. Times are in seconds; a field
// may be empty if it was not measured. `source` is named in errors. Throws TraceError that names
// source, line and field.
std::vector<Application> read_applications(std::istream &in, const std::string &source);
std::vector<Application> read_applications(const std::string &path);

// By name in any case; throws std::invalid_argument that lists the names there are.
const Application &find_application(const std::vector<Application> &applications,
                                    std::string_view name);

} // namespace vmall::sim
