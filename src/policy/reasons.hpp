// SPDX-License-Identifier: GPL-2.0-or-later
//
// Why jobs wait, in words for people. No times in them: they would change with every pass.
#pragma once

#include "policy/model.hpp"

#include <string>

namespace vmall::policy::reasons {

inline constexpr const char *no_machine = "does not fit this machine";
inline constexpr const char *refused = "was refused by the resource manager";
inline constexpr const char *short_jobs = "waits for short jobs to end (FJT)";
inline constexpr const char *being_freed = "waits for cores that are being freed";

std::string cores(const WaitingJob &job); // as many as its smallest size needs
std::string would_delay(JobId head);
std::string long_behind(JobId head);

} // namespace vmall::policy::reasons
