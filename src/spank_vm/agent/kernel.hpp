// SPDX-License-Identifier: GPL-2.0-or-later
//
// The kernel that schedules this node's processes.
#pragma once

#include "wire/installation.hpp"

#include <string>

namespace vmall::agent {

// `proc` is where /proc is, `cgroup_mount` where cgroups are. What slurmd is in counts: its steps
// are in as many groups, or more.
wire::Kernel kernel_of(const std::string &proc, const std::string &cgroup_mount);

} // namespace vmall::agent
