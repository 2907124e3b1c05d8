// SPDX-License-Identifier: GPL-2.0-or-later
//
// The time from which on somebody wants to know.
#pragma once

#include <ctime>
#include <string>

namespace vmall::vmctl {

// "2026-03-01T10:20:00", "2026-03-01T10:20", "2026-03-01", "10:20:00", "10:20" (of today), in this
// host's zone, or "now-90minutes" (seconds, minutes, hours, days). Throws std::invalid_argument,
// whose text says what is accepted.
std::time_t parse_since(const std::string &text, std::time_t now);

} // namespace vmall::vmctl
