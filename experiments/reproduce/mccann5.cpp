// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the experiments of McCann's thesis, ch. 5, share.
#include "experiments/reproduce/mccann5.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vmall::sim::reproduce {

std::string figure_name(const mesh::Choice &choice) {
    std::string name = to_text(choice);
    std::replace(name.begin(), name.end(), '-', '_');
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
    return choice.family == mesh::Family::fold && choice.interval == 0 ? "FOLD_inf" : name;
}

std::vector<mesh::Choice> mesh_policies(const std::vector<std::string> &names) {
    std::vector<mesh::Choice> choices;
    std::transform(names.begin(), names.end(), std::back_inserter(choices), mesh::parse_choice);
    return choices;
}

std::vector<int> numbers(int first, int last) {
    std::vector<int> result(last - first + 1);
    std::iota(result.begin(), result.end(), first);
    return result;
}

std::vector<int> no_powers_of_two(int first, int last) {
    std::vector<int> result = numbers(first, last);
    result.erase(std::remove_if(result.begin(), result.end(), policy::mesh::is_power_of_two),
                 result.end());
    return result;
}

std::vector<double> each(const std::vector<int> &numbers,
                         const std::function<double(int)> &measure) {
    std::vector<double> values;
    std::transform(numbers.begin(), numbers.end(), std::back_inserter(values), measure);
    return values;
}

double mean(const std::vector<double> &values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double highest(const std::vector<double> &values) {
    return *std::max_element(values.begin(), values.end());
}

double lowest(const std::vector<double> &values) {
    return *std::min_element(values.begin(), values.end());
}

Measurement without_chance(std::string where, double value) {
    return {std::move(where), {value}, true};
}

std::optional<Sample> point(double value) {
    return std::isfinite(value) ? std::optional(summarise(without_chance("", value)))
                                : std::nullopt;
}

Panel lines(std::string title, std::string x_label, std::string y_label, std::vector<double> x,
            const std::vector<std::string> &names,
            const std::function<double(std::size_t, double)> &y) {
    Panel panel{std::move(title), std::move(x_label), std::move(y_label), x, {}};
    for (std::size_t i = 0; i < names.size(); i++) {
        Series series{names[i], {}};
        for (const double value : x)
            series.points.push_back(point(y(i, value)));
        panel.series.push_back(std::move(series));
    }
    return panel;
}

} // namespace vmall::sim::reproduce
