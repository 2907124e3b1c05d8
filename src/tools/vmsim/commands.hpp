// SPDX-License-Identifier: GPL-2.0-or-later
//
// The subcommands of vmsim, one file each.
#pragma once

namespace CLI {
class App;
}

namespace vmall::vmsim {

inline constexpr int exit_usage = 2;

// Each adds its subcommand to the program. The subcommand runs when CLI11 has parsed all arguments
// (CLI::App::callback), throws what is wrong, and sets the exit status if that is not 0.
void add_policies(CLI::App &app, int &exit_status);
void add_run(CLI::App &app, int &exit_status);
void add_compare(CLI::App &app, int &exit_status);
void add_generate(CLI::App &app, int &exit_status);
void add_import(CLI::App &app, int &exit_status);
void add_reproduce(CLI::App &app, int &exit_status);

} // namespace vmall::vmsim
