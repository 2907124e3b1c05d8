// SPDX-License-Identifier: GPL-2.0-or-later
//
// Workloads in any of the formats that we read.
#include "sim/trace/read_workload.hpp"

#include "sim/trace/lines.hpp"
#include "sim/trace/sacct.hpp"
#include "sim/trace/swf.hpp"
#include "sim/trace/unusable_dump.hpp"

namespace vmall::sim {

namespace {

bool is_sacct_dump(const LogFile &file) {
    Lines lines(file);
    std::string_view line;
    return lines.next(line) && is_sacct_header(line);
}

} // namespace

Workload read_workload(const LogFile &file, const Treatment &treatment, ReadLog &log) {
    if (is_sacct_dump(file))
        return read_sacct(file, treatment, log);
    if (const auto fault = unusable_dump(file))
        throw TraceError(*fault);
    return read_swf(file, treatment, log);
}

} // namespace vmall::sim
