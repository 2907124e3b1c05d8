// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads what `vmsim run` wrote: results.hpp.
#pragma once

#include <string>
#include <vector>

namespace vmall::vmsim {

// One measure of all jobs, or of those of a class.
struct Measure {
    const char *title; // with its unit
    int digits;        // to show after the point
    const char *group; // "selected", or the name of a class
    const char *key;   // of the group in summary.json, whose mean counts
};

const std::vector<Measure> &measures();

// What a policy got, of each workload it was tried on.
struct Saved {
    std::string policy;
    std::vector<std::string> workloads;
    // By measure as above, then by workload; those without jobs of that class are left out.
    std::vector<std::vector<double>> values;
    std::vector<double> utilisation; // by workload
};

// From a summary.json or the directory that it is in, in its order. Throws std::runtime_error that
// names the file.
std::vector<Saved> read_results(const std::string &path);

} // namespace vmall::vmsim
