// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim policies: which policies there are.
#include "sim/engine/presets.hpp"
#include "tools/vmsim/commands.hpp"
#include "tools/vmsim/policy_choice.hpp"

#include <CLI/CLI.hpp>

#include <iomanip>
#include <iostream>

namespace vmall::vmsim {

namespace {

void print(const char *name, const char *description) {
    constexpr int width = 18;
    std::cout << std::left << std::setw(width) << name << description << '\n';
}

} // namespace

void add_policies(CLI::App &app, int &) {
    auto *command = app.add_subcommand("policies", "List the policies that run knows by name");
    command->callback([] {
        for (const auto &preset : sim::presets()) {
            print(preset.name, preset.description);
        }
        for (const auto &policy : mesh_policies()) {
            print(policy.name, policy.description);
        }
    });
}

} // namespace vmall::vmsim
