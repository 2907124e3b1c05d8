// SPDX-License-Identifier: GPL-2.0-or-later
//
// The subcommands of vmlab, one file each.
#pragma once

#include "tools/vmsim/command_line.hpp"

namespace vmall::vmlab {

// As those of vmsim (tools/vmsim/commands.hpp).
void add_reproduce(vmsim::Command app, int &exit_status);
void add_mesh(vmsim::Command app, int &exit_status);
void add_import(vmsim::Command app, int &exit_status);

} // namespace vmall::vmlab
