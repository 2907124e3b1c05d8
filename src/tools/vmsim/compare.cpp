// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim compare: results side by side.
#include "sim/report/sample.hpp"
#include "sim/report/text_table.hpp"
#include "tools/vmsim/commands.hpp"
#include "tools/vmsim/saved_results.hpp"
#include "tools/vmsim/usage_error.hpp"

#include <cmath>
#include <iostream>
#include <memory>

namespace vmall::vmsim {

namespace {

using sim::fixed;

struct Row {
    std::string name;
    Saved saved;
};

std::vector<Row> read_rows(const std::vector<std::string> &paths) {
    std::vector<Row> rows;
    for (const auto &path : paths) {
        for (auto &saved : read_results(path)) {
            const std::string name = paths.size() > 1 ? path + ' ' + saved.policy : saved.policy;
            rows.push_back({name, std::move(saved)});
        }
    }
    return rows;
}

// "12.3", with several workloads "12.3 +-0.4": the 95 % confidence interval.
std::string in_words(const std::vector<double> &values, int digits) {
    const auto summary = sim::summarise(values);
    std::string text = fixed(summary.mean, digits);
    if (values.size() > 1)
        text += " +-" + fixed((summary.high - summary.low) / 2, digits);
    return text;
}

// Workload by workload if both were tried on the same ones, else of the means.
std::string ratio(const Row &row, const Row &first, std::size_t measure) {
    const auto &values = row.saved.values[measure];
    const auto &base = first.saved.values[measure];
    std::vector<double> ratios;
    const std::size_t workloads = row.saved.workloads.size();
    if (row.saved.workloads == first.saved.workloads && values.size() == workloads &&
        base.size() == workloads)
        for (std::size_t i = 0; i < values.size(); i++)
            ratios.push_back(values[i] / base[i]);
    else
        ratios = {sim::summarise(values).mean / sim::summarise(base).mean};
    for (const double value : ratios)
        if (!std::isfinite(value))
            return "";
    return in_words(ratios, 3);
}

void add_measure(const std::vector<Row> &rows, std::size_t measure,
                 std::vector<std::vector<std::string>> &lines) {
    const int digits = measures()[measure].digits;
    lines.front().push_back(measures()[measure].title);
    lines.front().push_back("RATIO");
    for (std::size_t i = 0; i < rows.size(); i++) {
        const bool none = rows[i].saved.values[measure].empty();
        const bool nothing_to_compare = none || rows[0].saved.values[measure].empty();
        lines[i + 1].push_back(none ? "" : in_words(rows[i].saved.values[measure], digits));
        lines[i + 1].push_back(nothing_to_compare ? "" : ratio(rows[i], rows[0], measure));
    }
}

void compare(const std::vector<std::string> &paths) {
    const auto rows = read_rows(paths);
    if (rows.size() < 2)
        throw UsageError("there is only one result to compare");
    std::vector<std::vector<std::string>> lines = {{"POLICY", "WORKLOADS"}};
    for (const auto &row : rows)
        lines.push_back({row.name, std::to_string(row.saved.workloads.size())});
    for (std::size_t measure = 0; measure < measures().size(); measure++)
        add_measure(rows, measure, lines);
    lines.front().push_back("UTIL%");
    for (std::size_t i = 0; i < rows.size(); i++) {
        std::vector<double> percent = rows[i].saved.utilisation;
        for (double &value : percent)
            value *= 100;
        lines[i + 1].push_back(in_words(percent, 1));
    }
    std::cout << sim::text_table(lines);
}

} // namespace

void add_compare(Command app, int &) {
    auto paths = std::make_shared<std::vector<std::string>>();
    const auto command = app.add_subcommand(
        "compare", "Put results side by side: means, and their ratio to those of the first one");
    command
        .add_option("results", *paths,
                    "Directories that run wrote, or summary.json files; with several workloads, "
                    "means have their 95 % confidence interval (Student's t)")
        .required()
        .type_name("DIR");
    command.callback([paths] { compare(*paths); });
}

} // namespace vmall::vmsim
