// SPDX-License-Identifier: GPL-2.0-or-later
//
// How much of its life a process was awake.
#pragma once

#include <cstdint>
#include <optional>
#include <sys/types.h>

namespace vmall::agent {

// Nanoseconds that the threads of the process had a CPU, and that those of them which live stood in
// line for one: what others took of it is no sleep. May be more than the process lived. Nothing if
// the kernel keeps no account of the lines (CONFIG_SCHED_INFO), or the process is gone. Throws
// std::runtime_error if /proc cannot be read.
std::optional<std::uint64_t> awake_ns(pid_t pid);

} // namespace vmall::agent
