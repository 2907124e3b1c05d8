// SPDX-License-Identifier: GPL-2.0-or-later
//
// What vmctl and vmsim say of a wrong command line.
#pragma once

#include "config/number.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace vmall::tools {

// CLI11 says of a subcommand with a typo only that one is required.
inline std::string usage_problem(const CLI::App &app, const CLI::ParseError &error) {
    const auto rest = app.remaining();
    return app.get_subcommands().empty() && !rest.empty()
               ? config::quoted(rest.front()) + " is not a subcommand; see " + app.get_name() +
                     " --help"
               : error.what();
}

} // namespace vmall::tools
