// SPDX-License-Identifier: GPL-2.0-or-later
//
// The kernel's affinity masks, for as many CPUs as a control block can name.
#pragma once

#include "layout/control_block.h"

#include <cstdint>
#include <optional>
#include <sched.h>
#include <sys/types.h>
#include <vector>

namespace vmall::spank_vm {

static_assert(CPU_SETSIZE == VMALL_CONTROL_MAX_CPUS);

cpu_set_t mask_of(const std::vector<std::uint16_t> &cpus); // each below VMALL_CONTROL_MAX_CPUS

bool is_inside(const cpu_set_t &mask, const cpu_set_t &allotment);

// Of a thread; nothing if it has vanished. Throws std::system_error.
std::optional<cpu_set_t> affinity(pid_t thread);

// Does nothing to a thread that has vanished. Throws std::system_error.
void set_affinity(pid_t thread, const cpu_set_t &mask);

} // namespace vmall::spank_vm
