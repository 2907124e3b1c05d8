// SPDX-License-Identifier: GPL-2.0-or-later
//
// Moves all threads of a job onto the CPUs of its allotment.
#pragma once

#include "spank_vm/agent/processes.hpp"

#include <cstdint>
#include <functional>
#include <sched.h>
#include <sys/types.h>
#include <vector>

namespace vmall::agent {

// Enumerates the job's processes as they are at the moment of the call.
using FindProcesses = std::function<std::vector<Process>()>;

enum class Whom {
    everybody, // the allotment is new: all threads get the whole of it, so that growing is felt
    outsiders, // only threads that may run elsewhere; who bound itself within the allotment stays
               // so
};

// Returns once an enumeration that follows all changes finds every thread inside: whether any had
// to be moved. What it cannot see is a child of one of those that is in the middle of being forked,
// with the mask its parent had: unless a cpuset confines it too, look for outsiders again a little
// later. Throws std::runtime_error (std::system_error among them) if a thread cannot be moved or
// the job keeps making threads that escape, for a second or 50 enumerations.
bool confine(const FindProcesses &find, const std::vector<std::uint16_t> &cpus, Whom whom);

// A thread ended while it was moved: whoever has its number now gets the affinity that it was made
// with, unless it has another one than the allotment.
void put_back_stranger(pid_t thread, const cpu_set_t &allotment);

// Moves those that one enumeration finds, whether they stay or not. Throws if one cannot be moved.
void move(const FindProcesses &find, const std::vector<std::uint16_t> &cpus, Whom whom);

} // namespace vmall::agent
