// SPDX-License-Identifier: GPL-2.0-or-later
//
// Why jobs wait, in words for people. No times in them: they would change with every pass.
#pragma once

#include "policy/model.hpp"

#include <cstdint>
#include <string>

namespace vmall::policy {

// "waits for short jobs to end (FJT)"
std::string in_words(Reason reason);

// The same without the number, for machines: "short_jobs".
const char *name_of(Reason::Kind kind);

namespace reasons {

inline constexpr Reason no_machine{Reason::Kind::no_machine};
inline constexpr Reason refused{Reason::Kind::refused};
inline constexpr Reason memory{Reason::Kind::memory};
inline constexpr Reason short_jobs{Reason::Kind::short_jobs};
inline constexpr Reason share{Reason::Kind::share};
inline constexpr Reason being_freed{Reason::Kind::being_freed};
inline constexpr Reason level{Reason::Kind::level};
inline constexpr Reason reserved{Reason::Kind::reserved};

inline Reason cores(int count) {
    return {Reason::Kind::cores, static_cast<std::uint32_t>(count)};
}

// As many as its smallest size needs.
inline Reason cores(const WaitingJob &job) {
    if (job.whole_nodes)
        return {Reason::Kind::whole_nodes};
    return cores(job.sizes.smallest() * job.cores_per_process);
}

inline Reason would_delay(JobId head) {
    return {Reason::Kind::would_delay, head.value};
}

inline Reason long_behind(JobId head) {
    return {Reason::Kind::long_behind, head.value};
}

} // namespace reasons

} // namespace vmall::policy
