// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files that look like what sacct printed, but in a way that no reader of ours takes.
#pragma once

#include "sim/trace/log_file.hpp"

#include <optional>
#include <string>

namespace vmall::sim {

// What is wrong with it, with file and line. Nothing if it does not look like that. Throws
// TraceError if the file cannot be read.
std::optional<std::string> unusable_dump(const LogFile &file);

} // namespace vmall::sim
