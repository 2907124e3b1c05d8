// SPDX-License-Identifier: GPL-2.0-or-later
//
// What one input may cost.
#pragma once

#include <cstddef>
#include <string>

namespace vmall::fuzz {

inline constexpr double highest_cpu_seconds = 0.05;
inline constexpr std::size_t highest_bytes = 64u << 20; // allocated at the same time

// Ends the process if the call takes more. Looked at while fuzzing; samples that are replayed take
// what they take, as the machine may be busy.
void within_limits(void (*decode)(const std::string &), const std::string &input);

} // namespace vmall::fuzz
