// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim policies: which policies there are.
#include "policy/policies.hpp"
#include "tools/vmsim/commands.hpp"
#include "tools/vmsim/policy_choice.hpp"

#include <algorithm>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>

namespace vmall::vmsim {

namespace {

// What a named policy can differ in.
auto told_apart_by(const policy::Settings &settings) {
    return std::make_tuple(settings.queue_discipline, settings.backfill_order, settings.sizing,
                           settings.max_mpl, settings.window_policy, settings.window_rule,
                           settings.window_mpl, settings.folded_weight, settings.patience,
                           settings.max_time_lost);
}

bool is_default(const KnownPolicy &known) {
    const policy::Policies &table = policy::policies();
    return std::any_of(table.begin(), table.end(), [&](const policy::NamedPolicy &policy) {
        return std::strcmp(policy.name, known.name) == 0 && !policy.rigid_jobs &&
               told_apart_by(policy.settings) == told_apart_by(policy::default_settings());
    });
}

void print_lines() {
    constexpr int width = 18;
    for (const auto &policy : known_policies({}))
        std::cout << std::left << std::setw(width) << policy.name << policy.description
                  << (is_default(policy) ? "; the default of vmall.conf" : "") << '\n';
}

void print_json() {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto &policy : known_policies({}))
        rows.push_back({{"name", policy.name},
                        {"description", policy.description},
                        {"default", is_default(policy)}});
    std::cout << nlohmann::ordered_json({{"policies", std::move(rows)}}).dump(2) << '\n';
}

} // namespace

void add_policies(Command app, int &) {
    const auto command = app.add_subcommand("policies", "List the policies that run knows by name");
    auto json = std::make_shared<bool>(false);
    command.add_flag("--json", *json, "Print JSON instead of lines");
    command.callback([json] { *json ? print_json() : print_lines(); });
}

} // namespace vmall::vmsim
