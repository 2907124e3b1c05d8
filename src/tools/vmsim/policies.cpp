// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim policies: which policies there are.
#include "tools/vmsim/commands.hpp"
#include "tools/vmsim/policy_choice.hpp"

#include <iomanip>
#include <iostream>

namespace vmall::vmsim {

void add_policies(Command app, int &) {
    const auto command = app.add_subcommand("policies", "List the policies that run knows by name");
    command.callback([] {
        constexpr int width = 18;
        for (const auto &policy : known_policies({}))
            std::cout << std::left << std::setw(width) << policy.name << policy.description << '\n';
    });
}

} // namespace vmall::vmsim
