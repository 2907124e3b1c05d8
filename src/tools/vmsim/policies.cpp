// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim policies: which policies there are.
#include "tools/vmsim/commands.hpp"
#include "tools/vmsim/policy_choice.hpp"

#include <CLI/CLI.hpp>

#include <iomanip>
#include <iostream>

namespace vmall::vmsim {

void add_policies(CLI::App &app, int &) {
    auto *command = app.add_subcommand("policies", "List the policies that run knows by name");
    command->callback([] {
        constexpr int width = 18;
        for (const auto &policy : known_policies()) {
            std::cout << std::left << std::setw(width) << policy.name << policy.description << '\n';
        }
    });
}

} // namespace vmall::vmsim
