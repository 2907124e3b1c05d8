// SPDX-License-Identifier: GPL-2.0-or-later
//
// Why jobs wait, in words for people. No times in them: they would change with every pass.
#pragma once

#include "policy/model.hpp"

#include <string>

namespace vmall::policy {

// "waits for short jobs to end (FJT)"
std::string in_words(Reason reason);

namespace reasons {

inline constexpr Reason no_machine{Reason::Kind::no_machine};
inline constexpr Reason refused{Reason::Kind::refused};
inline constexpr Reason short_jobs{Reason::Kind::short_jobs};
inline constexpr Reason share{Reason::Kind::share};
inline constexpr Reason being_freed{Reason::Kind::being_freed};
inline constexpr Reason level{Reason::Kind::level};
inline constexpr Reason reserved{Reason::Kind::reserved};

Reason cores(const WaitingJob &job); // as many as its smallest size needs
Reason would_delay(JobId head);
Reason long_behind(JobId head);

} // namespace reasons

} // namespace vmall::policy
