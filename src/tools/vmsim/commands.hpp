// SPDX-License-Identifier: GPL-2.0-or-later
//
// The subcommands of vmsim, one file each.
#pragma once

#include "tools/vmsim/command_line.hpp"

namespace vmall::vmsim {

// Each adds its subcommand to the program. The subcommand runs when all arguments are parsed
// (Command::callback), throws what is wrong, and sets the exit status if that is not 0.
void add_policies(Command app, int &exit_status);
void add_run(Command app, int &exit_status);
void add_compare(Command app, int &exit_status);
void add_study(Command app, int &exit_status);
void add_generate(Command app, int &exit_status);
void add_import(Command app, int &exit_status);
void add_advise(Command app, int &exit_status);

} // namespace vmall::vmsim
