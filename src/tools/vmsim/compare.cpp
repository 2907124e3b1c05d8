// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim compare: results side by side.
#include "tools/vmsim/commands.hpp"
#include "tools/vmsim/comparison.hpp"
#include "tools/vmsim/usage_error.hpp"

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

namespace vmall::vmsim {

namespace {

struct CompareOptions {
    std::vector<std::string> paths;
    bool json = false;
};

std::vector<ComparedRow> read_rows(const std::vector<std::string> &paths) {
    std::vector<ComparedRow> rows;
    for (const auto &path : paths) {
        for (auto &saved : read_results(path)) {
            const std::string name = paths.size() > 1 ? path + ' ' + saved.policy : saved.policy;
            rows.push_back({name, std::move(saved)});
        }
    }
    return rows;
}

void compare(const CompareOptions &options) {
    const auto rows = read_rows(options.paths);
    if (rows.size() < 2)
        throw UsageError("there is only one result to compare");
    std::cout << (options.json ? json_of(rows).dump(2) + "\n" : table_of(rows));
}

} // namespace

void add_compare(Command app, int &) {
    auto options = std::make_shared<CompareOptions>();
    const auto command = app.add_subcommand(
        "compare", "Put results side by side: means, and their ratio to those of the first one");
    command
        .add_option("results", options->paths,
                    "Directories that run wrote, or summary.json files; with several workloads, "
                    "means have their 95 % confidence interval (Student's t)")
        .required()
        .type_name("DIR");
    command.add_flag("--json", options->json, "Print JSON instead of a table");
    command.callback([options] { compare(*options); });
}

} // namespace vmall::vmsim
