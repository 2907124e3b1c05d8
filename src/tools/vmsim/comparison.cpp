// SPDX-License-Identifier: GPL-2.0-or-later
//
// Results side by side.
#include "tools/vmsim/comparison.hpp"

#include "sim/report/sample.hpp"
#include "sim/report/text_table.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace vmall::vmsim {

namespace {

using Json = nlohmann::ordered_json;
using Row = ComparedRow;

// "12.3", with several workloads "12.3 +-0.4". Blank without any.
std::string in_words(const std::vector<double> &values, int digits) {
    if (values.empty())
        return "";
    const auto summary = sim::summarise(values);
    std::string text = sim::fixed(summary.mean, digits);
    if (values.size() > 1)
        text += " +-" + sim::fixed((summary.high - summary.low) / 2, digits);
    return text;
}

double rounded(double value) {
    return std::round(value * 1e6) / 1e6;
}

// Null without any.
Json in_json(const std::vector<double> &values) {
    if (values.empty())
        return {};
    const auto summary = sim::summarise(values);
    Json json = {{"mean", rounded(summary.mean)}};
    if (values.size() > 1)
        json.update({{"low", rounded(summary.low)}, {"high", rounded(summary.high)}});
    return json;
}

// Workload by workload if both were tried on the same ones, else of the means. None if there is
// nothing to compare, or to divide by.
std::vector<double> ratios(const Row &row, const Row &first, std::size_t measure) {
    const auto &values = row.saved.values[measure];
    const auto &base = first.saved.values[measure];
    if (values.empty() || base.empty())
        return {};
    std::vector<double> ratios;
    const std::size_t workloads = row.saved.workloads.size();
    if (row.saved.workloads == first.saved.workloads && values.size() == workloads &&
        base.size() == workloads)
        for (std::size_t i = 0; i < values.size(); i++)
            ratios.push_back(values[i] / base[i]);
    else
        ratios = {sim::summarise(values).mean / sim::summarise(base).mean};
    const bool all_finite = std::all_of(ratios.begin(), ratios.end(),
                                        [](double value) { return std::isfinite(value); });
    return all_finite ? ratios : std::vector<double>{};
}

std::vector<std::string> titles() {
    std::vector<std::string> line = {"POLICY", "WORKLOADS"};
    for (const Measure &measure : measures())
        line.insert(line.end(), {measure.title, "RATIO"});
    line.push_back("UTIL%");
    return line;
}

std::vector<std::string> cells(const Row &row, const Row &first) {
    std::vector<std::string> line = {row.name, std::to_string(row.saved.workloads.size())};
    for (std::size_t measure = 0; measure < measures().size(); measure++) {
        line.push_back(in_words(row.saved.values[measure], measures()[measure].digits));
        line.push_back(in_words(ratios(row, first, measure), 3));
    }
    std::vector<double> percent = row.saved.utilisation;
    for (double &value : percent)
        value *= 100;
    line.push_back(in_words(percent, 1));
    return line;
}

} // namespace

std::string table_of(const std::vector<ComparedRow> &rows) {
    std::vector<std::vector<std::string>> lines = {titles()};
    for (const Row &row : rows)
        lines.push_back(cells(row, rows.front()));
    return sim::text_table(lines);
}

Json json_of(const std::vector<ComparedRow> &rows) {
    Json results = Json::array();
    for (const Row &row : rows) {
        Json values = Json::array();
        for (std::size_t i = 0; i < measures().size(); i++)
            values.push_back({{"group", measures()[i].group},
                              {"measure", measures()[i].key},
                              {"value", in_json(row.saved.values[i])},
                              {"ratio", in_json(ratios(row, rows.front(), i))}});
        results.push_back({{"policy", row.name},
                           {"workloads", row.saved.workloads},
                           {"measures", std::move(values)},
                           {"utilisation", in_json(row.saved.utilisation)}});
    }
    return {{"results", std::move(results)}};
}

} // namespace vmall::vmsim
