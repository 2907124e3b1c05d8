// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a reader of workloads has to tell besides the workload.
#pragma once

#include "sim/trace/trace_error.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace vmall::sim {

struct ReadLog {
    bool lenient = false; // skip and count bad lines; otherwise the first one is thrown

    std::size_t bad_lines = 0;
    std::vector<std::string> examples; // the first ten, each with file, line and reason
    std::map<std::string, std::size_t>
        left_out;                   // sound records that are no job to simulate, by why
    std::vector<std::string> notes; // whatever else the reader of a report should know

    void bad_line(const std::string &where_and_why) {
        constexpr std::size_t most = 10;
        if (!lenient)
            throw TraceError(where_and_why);
        ++bad_lines;
        if (examples.size() < most)
            examples.push_back(where_and_why);
    }
};

} // namespace vmall::sim
