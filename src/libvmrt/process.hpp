// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who a process is: names that outlive neither the process nor a reuse of its id, and its place
// among the ranks of its MPI program.
#pragma once

#include <cstdint>

namespace vmall::runtime {

// Process id << 32 | low 32 bits of the start time in clock ticks (/proc/PID/stat). 0: no process.
using Owner = std::uint64_t;

// 0 if /proc cannot be read.
Owner this_process();

// Inode of the PID namespace whose ids this process goes by; 0 if /proc cannot be read.
std::uint32_t pid_namespace();

// It died, is a zombie, or the id belongs to another process now; false if we cannot look. Any
// value is a valid argument; costs a read of /proc.
bool is_gone(Owner owner);

enum class Activity {
    gone,
    asleep,   // all threads are stopped or wait in the kernel
    runnable, // some thread runs or wants to run
};

// As is_gone(), but costs a read of /proc per thread if the first one does not run.
Activity activity_of(Owner owner);

struct LocalRank {
    std::uint32_t rank; // below size
    std::uint32_t size; // at least 1
};

// This process among the ranks of its program on this node, as its launcher's environment says:
// Hydra's and Open MPI's before Slurm's, because their daemons are tasks of a Slurm step
// themselves. Without a launcher 0 of 1.
LocalRank local_rank();

// The count for node number `node` in Slurm's notation, as "4(x2),3"; 0 if it does not say.
std::uint32_t tasks_of_node(const char *tasks_per_node, std::uint32_t node);

} // namespace vmall::runtime
