// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim policies: which policies there are.
#include "sim/engine/presets.hpp"
#include "tools/vmsim/commands.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iomanip>
#include <iostream>

namespace vmall::vmsim {

void add_policies(CLI::App &app, int &) {
    auto *command = app.add_subcommand("policies", "List the policies that run knows by name");
    command->callback([] {
        std::size_t width = 0;
        for (const auto &preset : sim::presets()) {
            width = std::max(width, std::string(preset.name).size());
        }
        for (const auto &preset : sim::presets()) {
            std::cout << std::left << std::setw(static_cast<int>(width) + 2) << preset.name
                      << preset.description << '\n';
        }
    });
}

} // namespace vmall::vmsim
