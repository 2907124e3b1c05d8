// SPDX-License-Identifier: GPL-2.0-or-later
//
// Numbers of a grid, paired by seed.
#include "experiments/reproduce/grid_claims.hpp"

#include "experiments/reproduce/text.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace vmall::sim::reproduce {

namespace quantities {

const Quantity long_response{"mean response of long jobs (s)", &Means::long_jobs,
                             &ClassMeans::response};
const Quantity long_wait{"mean wait of long jobs (s)", &Means::long_jobs, &ClassMeans::wait};
const Quantity long_execution{"mean execution of long jobs (s)", &Means::long_jobs,
                              &ClassMeans::execution};
const Quantity long_wait_deviation{"standard deviation of long jobs' waits (s)", &Means::long_jobs,
                                   &ClassMeans::wait_deviation};
const Quantity long_processors{"mean processors of long jobs", &Means::long_jobs,
                               &ClassMeans::processors};
const Quantity short_response{"mean response of short jobs (s)", &Means::short_jobs,
                              &ClassMeans::response};
const Quantity short_wait{"mean wait of short jobs (s)", &Means::short_jobs, &ClassMeans::wait};
const Quantity short_execution{"mean execution of short jobs (s)", &Means::short_jobs,
                               &ClassMeans::execution};
const Quantity short_wait_deviation{"standard deviation of short jobs' waits (s)",
                                    &Means::short_jobs, &ClassMeans::wait_deviation};
const Quantity short_processors{"mean processors of short jobs", &Means::short_jobs,
                                &ClassMeans::processors};

const Quantity long_slowdown{"mean slowdown of long jobs", &Means::long_jobs,
                             &ClassMeans::slowdown};
const Quantity short_slowdown{"mean slowdown of short jobs", &Means::short_jobs,
                              &ClassMeans::slowdown};

const Quantity all_response{"mean response of all jobs (s)", &Means::all_jobs,
                            &ClassMeans::response};

} // namespace quantities

namespace {

double quotient(double a, double b) {
    return a / b;
}
double minus(double a, double b) {
    return a - b;
}

template <typename Operation>
std::vector<double> paired(const std::vector<double> &left, const std::vector<double> &right,
                           Operation operation) {
    std::vector<double> result;
    for (std::size_t i = 0; i < left.size(); i++)
        result.push_back(operation(left[i], right[i]));
    return result;
}

template <typename Operation>
std::vector<Measurement> compare(const Grid &grid, const Names &situations, const std::string &one,
                                 const Names &others, const Quantity &quantity,
                                 Operation operation) {
    std::vector<Measurement> all;
    for (const std::string &situation : situations) {
        for (const std::string &other : others) {
            const std::string against = others.size() > 1 ? ", against " + other : "";
            all.push_back(
                {situation + against, paired(values(grid, situation, one, quantity),
                                             values(grid, situation, other, quantity), operation)});
        }
    }
    return all;
}

template <typename Operation>
std::vector<Measurement> compare_situations(const Grid &grid, const std::string &situation,
                                            const std::string &other, const Names &contenders,
                                            const Quantity &quantity, Operation operation) {
    std::vector<Measurement> all;
    for (const std::string &contender : contenders) {
        all.push_back({contenders.size() > 1 ? contender : "",
                       paired(values(grid, situation, contender, quantity),
                              values(grid, other, contender, quantity), operation)});
    }
    return all;
}

Series curve(const Grid &grid, const std::string &contender, const Quantity &quantity) {
    Series series{contender, {}};
    for (const Situation &situation : grid.situations())
        series.points.push_back(summarise(values(grid, situation.name, contender, quantity)));
    return series;
}

Panel panel(const Grid &grid, const std::string &title, const std::string &x_label,
            const Quantity &quantity) {
    Panel panel{title, x_label, quantity.name, std::vector<double>{}, {}};
    for (const Situation &situation : grid.situations())
        std::get<std::vector<double>>(panel.x).push_back(situation.x);
    for (const Contender &contender : grid.contenders())
        panel.series.push_back(curve(grid, contender.name, quantity));
    return panel;
}

std::string mean(const Grid &grid, const std::string &situation, const std::string &contender,
                 const Quantity &quantity) {
    return number(summarise(values(grid, situation, contender, quantity)).mean);
}

} // namespace

std::vector<double> values(const Grid &grid, const std::string &situation,
                           const std::string &contender, const Quantity &quantity) {
    std::vector<double> result;
    for (const Means &means : grid.at(situation, contender))
        result.push_back(means.*quantity.of.*quantity.value);
    return result;
}

std::vector<Measurement> plain(const Grid &grid, const Names &situations,
                               const std::string &contender, const Quantity &quantity) {
    std::vector<Measurement> all;
    for (const std::string &situation : situations)
        all.push_back({situation, values(grid, situation, contender, quantity)});
    return all;
}

std::vector<Measurement> ratio(const Grid &grid, const Names &situations, const std::string &one,
                               const Names &others, const Quantity &quantity) {
    return compare(grid, situations, one, others, quantity, quotient);
}

std::vector<Measurement> difference(const Grid &grid, const Names &situations,
                                    const std::string &one, const Names &others,
                                    const Quantity &quantity) {
    return compare(grid, situations, one, others, quantity, minus);
}

std::vector<Measurement> excess(const Grid &grid, const Names &situations, const std::string &one,
                                double times, const Names &others, const Quantity &quantity) {
    return compare(
        grid, situations, one, others, quantity,
        [times](double a, double b) { return a - times * b; });
}

std::vector<Measurement> ratio_of_situations(const Grid &grid, const std::string &situation,
                                             const std::string &other, const Names &contenders,
                                             const Quantity &quantity) {
    return compare_situations(grid, situation, other, contenders, quantity, quotient);
}

std::vector<Measurement> difference_of_situations(const Grid &grid, const std::string &situation,
                                                  const std::string &other, const Names &contenders,
                                                  const Quantity &quantity) {
    return compare_situations(grid, situation, other, contenders, quantity, minus);
}

std::vector<Measurement> share(const Grid &grid, const Names &situations, const Names &contenders,
                               const Quantity &quantity, const Quantity &of) {
    std::vector<Measurement> all;
    for (const std::string &situation : situations) {
        for (const std::string &contender : contenders) {
            all.push_back({situation + ", " + contender,
                           paired(values(grid, situation, contender, quantity),
                                  values(grid, situation, contender, of), quotient)});
        }
    }
    return all;
}

std::vector<Measurement> both(std::vector<Measurement> one, const std::string &name_of_one,
                              std::vector<Measurement> other, const std::string &name_of_other) {
    const auto name = [](std::vector<Measurement> &measurements, const std::string &text) {
        for (Measurement &measurement : measurements) {
            const bool alone = text.empty() || measurement.where.empty();
            measurement.where = text + (alone ? "" : ", ") + measurement.where;
        }
    };
    name(one, name_of_one);
    name(other, name_of_other);
    std::move(other.begin(), other.end(), std::back_inserter(one));
    return one;
}

Names all_but(const Grid &grid, const Names &names) {
    Names others;
    for (const Contender &contender : grid.contenders())
        if (std::find(names.begin(), names.end(), contender.name) == names.end())
            others.push_back(contender.name);
    return others;
}

std::vector<Finding>
measure(const Context &context, const std::vector<GridClaim> &claims,
        const std::vector<Variation> &variations,
        const std::function<Grid(const Context &, const Assumptions &)> &make_grid,
        const std::function<void(const Grid &)> &with_base, const Assumptions &base) {
    std::vector<Finding> findings;
    const Grid grid_of_base = make_grid(context, base);
    with_base(grid_of_base);
    for (const GridClaim &claim : claims) {
        findings.push_back({claim.claim,
                            claim.measure(grid_of_base),
                            {},
                            claim.why ? claim.why(grid_of_base) : ""});
    }
    for (const Variation &variation : variations) {
        Assumptions assumptions = base;
        variation.apply(assumptions);
        const Grid grid = make_grid(context, assumptions);
        for (std::size_t i = 0; i < claims.size(); i++)
            findings[i].alternatives.push_back({variation.text, claims[i].measure(grid)});
    }
    return findings;
}

std::string what_expiry_did(const Grid &grid, const std::string &situation,
                            const Names &contenders) {
    const Quantity requeues{"", &Means::short_jobs, &ClassMeans::requeues};
    const Quantity expiries{"", &Means::short_jobs, &ClassMeans::expiries};
    const Quantity wasted{"", &Means::short_jobs, &ClassMeans::wasted};
    std::string text;
    for (const std::string &contender : contenders) {
        text += (text.empty() ? "At " : "; ") + (text.empty() ? situation + ", " : "") + contender +
                ": " + mean(grid, situation, contender, expiries) + " expired windows and " +
                mean(grid, situation, contender, requeues) + " requeues in a workload, " +
                number(100 * summarise(values(grid, situation, contender, wasted)).mean) +
                " % of short jobs' core time thrown away";
    }
    return text + ".";
}

Table means_table(const Grid &grid, const std::string &caption) {
    using namespace quantities;
    const Quantity *columns[] = {&long_response,  &long_wait,  &long_execution,  &long_processors,
                                 &short_response, &short_wait, &short_execution, &short_processors};
    Table table{caption,
                {"", "policy", "long: response", "wait", "execution", "processors",
                 "short: response", "wait", "execution", "processors"},
                {}};
    for (const Situation &situation : grid.situations()) {
        for (const Contender &contender : grid.contenders()) {
            table.rows.push_back({situation.name, contender.name});
            for (const Quantity *column : columns)
                table.rows.back().push_back(mean(grid, situation.name, contender.name, *column));
        }
    }
    return table;
}

Chart curves(const Grid &grid, const std::string &name, const std::string &title,
             const std::string &x_label, const Quantity &of_long, const Quantity &of_short) {
    return {
        name,
        title,
        {panel(grid, "long jobs", x_label, of_long), panel(grid, "short jobs", x_label, of_short)}};
}

Chart bars(const Grid &grid, const std::string &name, const std::string &title,
           const std::string &x_label, const Quantity &of_long, const Quantity &of_short) {
    Chart chart = curves(grid, name, title, x_label, of_long, of_short);
    std::vector<std::string> names;
    for (const Situation &situation : grid.situations())
        names.push_back(situation.name);
    for (Panel &panel : chart.panels)
        panel.x = names;
    return chart;
}

} // namespace vmall::sim::reproduce
