// SPDX-License-Identifier: GPL-2.0-or-later
//
// Workloads in any of the formats that we read.
#pragma once

#include "sim/trace/log_file.hpp"
#include "sim/trace/read_log.hpp"
#include "sim/trace/treatment.hpp"

#include <string>

namespace vmall::sim {

// A file whose first line is a header of sacct is a dump of it (sacct.hpp); any other file is in
// the Standard Workload Format (swf.hpp). Throws as these readers do, and TraceError if it looks
// like sacct's without its first line or with another separator.
Workload read_workload(const LogFile &file, const Treatment &treatment, ReadLog &log);

} // namespace vmall::sim
