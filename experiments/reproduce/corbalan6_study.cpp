// SPDX-License-Identifier: GPL-2.0-or-later
//
// The workloads of Corbalan's thesis ch. 6 under its four policies, several times.
#include "experiments/reproduce/corbalan6_study.hpp"

#include "experiments/reproduce/corbalan6_run.hpp"
#include "experiments/reproduce/text.hpp"

#include <algorithm>
#include <numeric>

namespace vmall::sim::reproduce::corbalan6 {

namespace {

struct NamedPolicy {
    const char *name;
    Policy numbers;
};

const NamedPolicy policies[] = {{"Equipartition", &Cell::equipartition},
                                {"Equip++", &Cell::equip},
                                {"Equal_efficiency", &Cell::equal_efficiency},
                                {"Equal_eff++", &Cell::equal_eff}};

Cell play_all(const Context &context, const Mix &mix, int load, int level,
              const Assumption &assumption, std::uint64_t seed) {
    const Workload workload = workload_of(mix, load, assumption, context.length, seed);
    const auto run = [&](const char *discipline) {
        return play(workload, discipline, level, assumption, seed, context.progress);
    };
    return {run("equipartition"), run("equip++"), run("equal-efficiency"), run("equal-eff++")};
}

std::string where(int load) {
    return "load " + std::to_string(load) + " %";
}

std::vector<double> by_seed(const std::vector<Cell> &cells, const Measure &measure) {
    std::vector<double> values;
    std::transform(cells.begin(), cells.end(), std::back_inserter(values), measure);
    return values;
}

double mean(const std::vector<double> &values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

} // namespace

Measure of(const std::string &application, double Application::*what, Policy policy) {
    return [=](const Cell &cell) { return (cell.*policy).of.at(application).*what; };
}

Measure ratio(const std::string &application, double Application::*what, Policy above,
              Policy below) {
    return [=](const Cell &cell) {
        return (cell.*above).of.at(application).*what / (cell.*below).of.at(application).*what;
    };
}

Measure of(double Numbers::*what, Policy policy) {
    return [=](const Cell &cell) { return (cell.*policy).*what; };
}

Measure ratio(double Numbers::*what, Policy above, Policy below) {
    return [=](const Cell &cell) { return (cell.*above).*what / (cell.*below).*what; };
}

Study::Study(const Context &context, const Mix &mix, const std::vector<int> &loads_, int level,
             const std::vector<Assumption> &assumptions_)
    : loads(loads_), assumptions(assumptions_) {
    for (const Assumption &assumption : assumptions) {
        ByLoad by_load;
        for (const int load : loads) {
            by_load.push_back(for_each_seed(
                context,
                [&](std::uint64_t seed) {
                    return play_all(context, mix, load, level, assumption, seed);
                }));
        }
        cells.push_back(std::move(by_load));
    }
}

std::vector<double> Study::values(int load, const Measure &measure) const {
    const auto place = std::find(loads.begin(), loads.end(), load) - loads.begin();
    return by_seed(cells.front().at(static_cast<std::size_t>(place)), measure);
}

Finding Study::with_alternatives(
    Claim claim, const std::function<std::vector<Measurement>(const ByLoad &)> &measure_all) const {
    Finding finding{std::move(claim), measure_all(cells.front()), {}, ""};
    for (std::size_t i = 1; i < cells.size(); i++)
        finding.alternatives.push_back({assumptions[i].text, measure_all(cells[i])});
    return finding;
}

Finding Study::finding(Claim claim, const Measure &measure) const {
    return finding_at(loads, std::move(claim), measure);
}

Finding Study::finding_at(const std::vector<int> &at, Claim claim, const Measure &measure) const {
    return with_alternatives(
        std::move(claim),
        [&](const ByLoad &by_load) {
            std::vector<Measurement> measurements;
            for (std::size_t i = 0; i < loads.size(); i++)
                if (std::find(at.begin(), at.end(), loads[i]) != at.end())
                    measurements.push_back({where(loads[i]), by_seed(by_load[i], measure)});
            return measurements;
        });
}

Finding Study::averaged(Claim claim, const Measure &measure) const {
    return with_alternatives(
        std::move(claim),
        [&](const ByLoad &by_load) {
            std::vector<double> sums(by_load.front().size(), 0);
            for (const BySeed &by_seeds : by_load)
                for (std::size_t seed = 0; seed < sums.size(); seed++)
                    sums[seed] += measure(by_seeds[seed]) / static_cast<double>(by_load.size());
            return std::vector<Measurement>{{"mean of the loads", std::move(sums)}};
        });
}

std::vector<Finding> Study::all_averaged(const std::string &source,
                                         const std::vector<Said> &said) const {
    std::vector<Finding> findings;
    for (const Said &one : said) {
        findings.push_back(averaged(
            {one.says, source, one.measure_in_words, one.accepted, one.reading, one.headline},
            one.measure));
    }
    return findings;
}

std::vector<Finding> Study::all_at(int load, const std::string &source,
                                   const std::vector<Said> &said) const {
    std::vector<Finding> findings;
    for (const Said &one : said) {
        findings.push_back(finding_at(
            {load},
            {one.says, source, one.measure_in_words, one.accepted, one.reading, one.headline},
            one.measure));
    }
    return findings;
}

std::vector<std::string> Study::applications() const {
    std::vector<std::string> names;
    for (const auto &[name, numbers] : cells.front().front().front().equipartition.of)
        names.push_back(name);
    return names;
}

Table Study::table(const std::string &caption) const {
    Table table{caption,
                {"load (%)", "policy", "application", "response (s)", "execution (s)", "processors",
                 "workload (s)", "utilisation", "most jobs at a time", "resizes of a job"},
                {}};
    for (std::size_t i = 0; i < loads.size(); i++) {
        for (const NamedPolicy &policy : policies) {
            for (const auto &name : applications()) {
                const auto cell = [&](const auto &pick) {
                    return number(mean(by_seed(cells.front()[i], [&](const Cell &one) {
                        const Numbers &numbers = one.*policy.numbers;
                        return pick(numbers, numbers.of.at(name));
                    })));
                };
                using N = const Numbers &;
                using A = const Application &;
                table.rows.push_back({std::to_string(loads[i]), policy.name, name,
                                      cell([](N, A a) { return a.response; }),
                                      cell([](N, A a) { return a.execution; }),
                                      cell([](N, A a) { return a.processors; }),
                                      cell([](N n, A) { return n.makespan; }),
                                      cell([](N n, A) { return n.utilisation; }),
                                      cell([](N n, A) { return n.level; }),
                                      cell([](N n, A) { return n.resizes; })});
            }
        }
    }
    return table;
}

Chart Study::chart(const std::string &name, const std::string &title) const {
    Chart chart{name, title, {}};
    const auto add_panel = [&](const std::string &application, const char *what,
                               double Application::*time) {
        Panel panel{application, "load (%)", std::string(what) + " time (s)", {}, {}};
        panel.x = std::vector<double>(loads.begin(), loads.end());
        for (const NamedPolicy &policy : policies) {
            Series series{policy.name, {}};
            for (const auto &by_seeds : cells.front())
                series.points.push_back(summarise(by_seed(by_seeds, [&](const Cell &cell) {
                    return (cell.*policy.numbers).of.at(application).*time;
                })));
            panel.series.push_back(std::move(series));
        }
        chart.panels.push_back(std::move(panel));
    };
    for (const auto &application : applications()) {
        add_panel(application, "response", &Application::response);
        add_panel(application, "execution", &Application::execution);
    }
    return chart;
}

Measurement paired(std::string where, const std::vector<double> &above,
                   const std::vector<double> &below) {
    Measurement measurement{std::move(where), {}};
    std::transform(above.begin(), above.end(), below.begin(),
                   std::back_inserter(measurement.values), std::divides<>());
    return measurement;
}

void append(std::vector<Finding> &findings, std::vector<Finding> more) {
    std::move(more.begin(), more.end(), std::back_inserter(findings));
}

Range half_to_twice_of_gain(double ratio) {
    return between(1 + (ratio - 1) / 2, 1 + (ratio - 1) * 2);
}

Range within_factor_two(double ratio) {
    return between(ratio / 2, ratio * 2);
}

Range within_quarter(double value) {
    return between(0.75 * value, 1.25 * value);
}

} // namespace vmall::sim::reproduce::corbalan6
