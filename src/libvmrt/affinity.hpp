// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where the threads of this process may run.
#pragma once

#include <cstdint>

namespace vmall::runtime {

// Binds every thread of the process to these CPUs (each below VMALL_RUNTIME_CPUS). False if the
// kernel refuses, because none of them is in the job's cpuset.
bool bind_threads(const std::uint16_t *cpus, std::uint32_t count);

} // namespace vmall::runtime
