// SPDX-License-Identifier: GPL-2.0-or-later
//
// libvmrt in the LD_PRELOAD of a step's tasks, behind what the user has there: GCC's address
// sanitizer ends programs that load something before it.
#pragma once

extern "C" {
#include <slurm/spank.h>
}

#include <string>
#include <string_view>

namespace vmall::spank_vm {

// A list as LD_PRELOAD has it, but for this path.
std::string without_path(const std::string &list, std::string_view path);

// Once per slurmstepd, before there are tasks; a node without the library is told to the user.
// Throws std::runtime_error.
void preload(spank_t spank, const std::string &library);

// In slurm_spank_task_init: takes the library out again if the task does not see it, because a
// plugin before this one has put it into a container; ld.so would complain about it at each exec.
// The task runs without, and says so with VMALL_DEBUG. Throws std::runtime_error.
void do_not_preload_what_is_missing(spank_t spank);

} // namespace vmall::spank_vm
