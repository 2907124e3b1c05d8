// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where the threads of this process may run. Nothing here allocates memory: the follower works
// beside programs that do not know of a second thread.
#pragma once

#include <cstdint>
#include <sched.h>

namespace vmall::runtime {

// Of CPUs below VMALL_RUNTIME_CPUS.
cpu_set_t set_of(const std::uint16_t *cpus, std::uint32_t count);

bool is_inside(const cpu_set_t &inner, const cpu_set_t &outer);

// Of the calling thread; empty where the kernel does not say.
cpu_set_t own_affinity();

// False if the kernel refuses, because none of the CPUs is in the job's cpuset.
bool bind_this_thread(const cpu_set_t &cpus);

enum class Narrower {
    stays, // a thread that is bound to some of the CPUs already stays as it is
    widens,
};

// Binds every thread of the process but the calling one and `spared`, in some passes over them:
// threads are born meanwhile. False if the kernel refuses.
bool bind_other_threads(const cpu_set_t &cpus, Narrower narrower, pid_t spared = 0);

} // namespace vmall::runtime
