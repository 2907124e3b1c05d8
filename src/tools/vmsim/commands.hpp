// SPDX-License-Identifier: GPL-2.0-or-later
//
// The subcommands of vmsim, one file each.
#pragma once

#include <CLI/CLI.hpp>

#include <stdexcept>

namespace vmall::vmsim {

inline constexpr int exit_usage = 2;

// Arguments that make no sense together or name what does not exist: exit status 2. CLI11 finds the
// others.
class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Each adds its subcommand to the program. The subcommand runs when CLI11 has parsed all arguments
// (CLI::App::callback), throws what is wrong, and sets the exit status if that is not 0.
void add_policies(CLI::App &app, int &exit_status);
void add_generate(CLI::App &app, int &exit_status);
void add_import(CLI::App &app, int &exit_status);

} // namespace vmall::vmsim
