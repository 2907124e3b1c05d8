// SPDX-License-Identifier: GPL-2.0-or-later
//
// McCann's thesis, s. 5.2.3: how equally EQUI, EQUI+ and Folding treat a fixed number of jobs.
#include "experiments/mesh/sim/static_analysis.hpp"
#include "experiments/reproduce/experiments.hpp"
#include "experiments/reproduce/mccann5.hpp"
#include "experiments/reproduce/text.hpp"

#include <cmath>

namespace vmall::sim::reproduce {

namespace {

using mesh::Fairness;
using mesh::folding_fairness;

const char *const source = "McCann's thesis, s. 5.2.3, figure 5.5";
constexpr int most_jobs = 32;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<int> select(int parity) {
    std::vector<int> result;
    for (const int jobs : numbers(2, most_jobs))
        if (jobs % 2 == parity)
            result.push_back(jobs);
    return result;
}

double difference(const Fairness &a, const Fairness &b) {
    return std::max(std::fabs(a.heaviest - b.heaviest), std::fabs(a.lightest - b.lightest));
}

Finding long_intervals_never_rotate() {
    const auto greatest = [](const std::vector<int> &jobs) {
        return highest(each(jobs, [](int count) {
            return difference(folding_fairness(count, 1.001), folding_fairness(count, infinity));
        }));
    };
    return {{"intervals longer than the job takes alone are as if there were no rotations", source,
             "greatest difference of the bounds, interval 1.001 or infinite", between(0, 0), ""},
            {without_chance("odd numbers of jobs", greatest(select(1))),
             without_chance("even numbers of jobs", greatest(select(0)))},
            {},
            "With 6 jobs a cycle has three rotations (eq. 4.6), and fits into the six times longer "
            "that a job takes in company."};
}

// The interval below 1 with which the heaviest job is worst off, on a grid of hundredths.
double worst_interval(int jobs) {
    double worst = 0;
    double heaviest = 0;
    for (int hundredths = 5; hundredths < 100; hundredths++) {
        const double now = folding_fairness(jobs, hundredths / 100.0).heaviest;
        if (now > heaviest + 1e-9) {
            heaviest = now;
            worst = hundredths / 100.0;
        }
    }
    return worst;
}

Finding half_is_worst() {
    std::vector<Measurement> measurements;
    for (const int jobs : {3, 5, 11, 23}) {
        measurements.push_back(
            without_chance(std::to_string(jobs) + " jobs", worst_interval(jobs)));
    }
    return {{"of the intervals shorter than the job alone, one just over half of it is worst",
             source, "interval with the worst heaviest load, over the time alone",
             between(0.5, 0.52), "'just greater': within two hundredths"},
            measurements,
            {},
            ""};
}

Finding near_the_ideal() {
    std::vector<Measurement> measurements;
    for (const double interval : {4 / 15.0, 1 / 8.0, 1 / 16.0}) {
        const auto distances = each(numbers(1, most_jobs), [&](int jobs) {
            return difference(folding_fairness(jobs, interval), {1, 1});
        });
        measurements.push_back(without_chance("interval " + number(interval), highest(distances)));
    }
    return {{"intervals a small factor shorter than the job alone are very nearly fair", source,
             "greatest distance of the bounds from 1, 1 to 32 jobs", at_most(0.2),
             "'very near': within a fifth"},
            measurements,
            {},
            "Without rotations: " +
                number(highest(each(numbers(1, most_jobs),
                                    [](int jobs) {
                                        return difference(folding_fairness(jobs, infinity), {1, 1});
                                    }))) +
                "."};
}

Finding even_numbers_gain() {
    std::vector<Measurement> measurements;
    for (const int half : {3, 5, 7, 9, 11, 13, 15}) {
        measurements.push_back(
            without_chance(std::to_string(2 * half) + " and " + std::to_string(half) + " jobs",
                           folding_fairness(2 * half, 8 / 15.0).heaviest /
                               folding_fairness(half, 8 / 15.0).heaviest));
    }
    return {{"rotating an even number of jobs as two systems makes it fairer", source,
             "heaviest load with an even number of jobs / with half as many, interval 8/15",
             less_than(1), ""},
            measurements,
            {},
            ""};
}

Chart figure(const std::string &number_of_figure, const std::string &title,
             const std::vector<std::string> &names,
             const std::function<Fairness(std::size_t, int)> &fairness) {
    const auto x = each(numbers(1, most_jobs), [](int jobs) { return jobs; });
    Chart chart{"mccann-fig-" + number_of_figure, title, {}};
    for (const bool heaviest : {true, false}) {
        chart.panels.push_back(lines(
            heaviest ? "most heavily loaded job" : "most lightly loaded job", "jobs",
            "threads on a processor / jobs", x, names,
            [&](std::size_t i, double jobs) {
                const auto ratio = fairness(i, static_cast<int>(jobs));
                return heaviest ? ratio.heaviest : ratio.lightest;
            }));
    }
    return chart;
}

Chart figure_5_4() {
    return figure(
        "5.4", "Fairness of Equipartition", {"EQUI", "EQUI+"},
        [](std::size_t i, int jobs) {
            return mesh::equipartition_fairness(mccann_mesh, jobs,
                                                i == 0 ? policy::mesh::Mapping::contraction
                                                       : policy::mesh::Mapping::snake);
        });
}

Chart figure_5_5() {
    const double intervals[] = {infinity, 8 / 15.0, 4 / 15.0};
    return figure("5.5", "Fairness of Folding", {"FOLD_inf", "8/15 of E", "4/15 of E"},
                  [&](std::size_t i, int jobs) { return folding_fairness(jobs, intervals[i]); });
}

Results run(Context &) {
    return {{long_intervals_never_rotate(), half_is_worst(), near_the_ideal(), even_numbers_gain()},
            {},
            {figure_5_4(), figure_5_5()}};
}

} // namespace

Experiment mccann5_fairness() {
    return {"mccann-5-fairness",
            "McCann's thesis, s. 5.2.3, figures 5.4 and 5.5",
            "The most and the least loaded of equal jobs under EQUI, EQUI+ and Folding on 16 x 16 "
            "processors.",
            {},
            run};
}

} // namespace vmall::sim::reproduce
