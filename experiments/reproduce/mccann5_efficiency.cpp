// SPDX-License-Identifier: GPL-2.0-or-later
//
// McCann's thesis, s. 5.2.2: how much efficiency EQUI, EQUI+ and Folding preserve.
#include "experiments/mesh/sim/static_analysis.hpp"
#include "experiments/reproduce/experiments.hpp"
#include "experiments/reproduce/mccann5.hpp"
#include "experiments/reproduce/text.hpp"

namespace vmall::sim::reproduce {

namespace {

using mesh::StepTimes;
using policy::mesh::Environment;

const char *const source = "McCann's thesis, s. 5.2.2, figure 5.2";
constexpr int most_jobs = 32;

double preserved(const std::string &policy, int jobs,
                 mesh::RotationOverhead overhead = policy::mesh::rotation_overhead) {
    StepTimes step_times(mccann_mesh, Environment{});
    return efficiency_preservation(mesh::parse_choice(policy), jobs, step_times, overhead);
}

std::vector<double> preserved_with(const std::string &policy, const std::vector<int> &jobs) {
    return each(
        jobs, [&](int count) { return preserved(policy, count); });
}

Finding equi_loses() {
    return {{"EQUI loses significantly if the number of jobs is no power of two", source,
             "efficiency preservation of EQUI, mean of 3 to 15 jobs, no powers of two",
             at_most(0.9), "'significant': 10 % or more"},
            {without_chance("", mean(preserved_with("equi", no_powers_of_two(3, 15))))},
            {},
            ""};
}

Finding equi_plus_improves() {
    const auto gains = each(no_powers_of_two(3, most_jobs - 1), [](int jobs) {
        return preserved("equi+", jobs) - preserved("equi", jobs);
    });
    return {{"EQUI+ is a noticeable improvement", source,
             "efficiency preservation, EQUI+ less EQUI, mean of 3 to 31 jobs, no powers of two",
             at_least(0.02), "'noticeable': two points or more"},
            {without_chance("", mean(gains))},
            {},
            "From " + number(lowest(gains)) + " to " + number(highest(gains)) + "."};
}

Finding equi_plus_still_loses() {
    return {{"EQUI+ still loses much", source,
             "efficiency preservation of EQUI+, lowest of 1 to 32 jobs", at_most(0.95),
             "'large': 5 % or more"},
            {without_chance("", lowest(preserved_with("equi+", numbers(1, most_jobs))))},
            {},
            ""};
}

double worst_loss(int first, int last) {
    return 1 - lowest(preserved_with("equi+", numbers(first, last)));
}

Finding losses_fall() {
    return {{"the losses of EQUI+ fall with the number of jobs", source,
             "greatest loss of EQUI+ between two powers of two / between the two before",
             less_than(1), ""},
            {without_chance("5 to 7 jobs / 3 jobs", worst_loss(5, 7) / worst_loss(3, 3)),
             without_chance("9 to 15 / 5 to 7 jobs", worst_loss(9, 15) / worst_loss(5, 7)),
             without_chance("17 to 31 / 9 to 15 jobs", worst_loss(17, 31) / worst_loss(9, 15))},
            {},
            "Three jobs lose " + number(worst_loss(3, 3)) + ", 5 to 7 up to " +
                number(worst_loss(5, 7)) + "."};
}

std::vector<Measurement> gains_over_equi_plus(mesh::RotationOverhead overhead) {
    std::vector<Measurement> measurements;
    for (const char *policy : {"fold-20", "fold-200", "fold-20j", "fold-inf"}) {
        const auto ratios = each(no_powers_of_two(3, most_jobs - 1), [&](int jobs) {
            return preserved(policy, jobs, overhead) / preserved("equi+", jobs);
        });
        measurements.push_back(
            without_chance(figure_name(mesh::parse_choice(policy)), mean(ratios)));
    }
    return measurements;
}

Finding folding_preserves_more() {
    const auto unrealistic = each(no_powers_of_two(3, most_jobs - 1), [](int jobs) {
        return preserved("fold-1", jobs) / preserved("equi+", jobs);
    });
    return {{"Folding does better than Equipartition unless it rotates unrealistically often",
             source,
             "efficiency preservation, FOLD_I / EQUI+, mean of 3 to 31 jobs, no powers of two",
             more_than(1), "rotations every 20 seconds are realistic"},
            gains_over_equi_plus(policy::mesh::rotation_overhead),
            {{"rotations cost what eq. 5.3 comes to, not eq. 5.4 as printed",
              gains_over_equi_plus(policy::mesh::rotation_overhead_derived)}},
            "FOLD_1: " + number(mean(unrealistic)) + "."};
}

Finding folding_slightly_above_one() {
    const auto steps = each(numbers(1, most_jobs - 1), [](int jobs) {
        return preserved("fold-inf", jobs + 1) - preserved("fold-inf", jobs);
    });
    std::vector<Measurement> measurements;
    for (const int jobs : {4, 16, 32}) {
        measurements.push_back(
            without_chance(std::to_string(jobs) + " jobs", preserved("fold-inf", jobs)));
    }
    return {{"FOLD_inf comes to slightly more than 1 with many jobs", source,
             "efficiency preservation of FOLD_inf", between(1.0001, 1.05), "'slightly': up to 5 %"},
            measurements,
            {},
            "The least change from one more job is " + number(lowest(steps)) + "."};
}

// Least gain from one spread to the next over numbers of jobs.
double least_gain(const std::string &policy, double spread, double wider, std::uint64_t seed,
                  int samples) {
    StepTimes narrow(mccann_mesh, Environment{}, spread, seed, samples);
    StepTimes wide(mccann_mesh, Environment{}, wider, seed, samples);
    const mesh::Choice choice = mesh::parse_choice(policy);
    return lowest(each(numbers(2, most_jobs), [&](int jobs) {
        return efficiency_preservation(choice, jobs, wide) -
               efficiency_preservation(choice, jobs, narrow);
    }));
}

Finding spread_helps(const Context &context) {
    const int samples = std::max(20, static_cast<int>(200 * context.length));
    const double spreads[] = {0, 0.005, 0.010, 0.020};
    std::vector<Measurement> measurements;
    for (const char *policy : {"fold-inf", "equi+"}) {
        for (int i = 1; i < 4; i++) {
            measurements.push_back(
                {figure_name(mesh::parse_choice(policy)) + ", spread " + number(1000 * spreads[i]) +
                     " over " + number(1000 * spreads[i - 1]) + " ms",
                 for_each_seed(
                     context,
                     [&](std::uint64_t seed) {
                         return least_gain(policy, spreads[i - 1], spreads[i], seed, samples);
                     })});
        }
    }
    return {{"more variation of the threads' computing times raises efficiency preservation",
             "McCann's thesis, s. 5.2.2, figure 5.3",
             "gain of efficiency preservation, least of 2 to 32 jobs", more_than(0),
             "'increase': for every number of jobs"},
            measurements,
            {},
            ""};
}

std::vector<double> job_counts() {
    return each(
        numbers(1, most_jobs), [](int jobs) { return jobs; });
}

Chart figure_5_2() {
    const std::vector<std::string> policies = {"equi",    "equi+",    "fold-1",  "fold-5",
                                               "fold-20", "fold-200", "fold-inf"};
    std::vector<std::string> names;
    for (const auto &choice : mesh_policies(policies))
        names.push_back(figure_name(choice));
    return {"mccann-fig-5.2",
            "Efficiency preservation of perfectly balanced jobs",
            {lines("", "jobs", "efficiency preservation", job_counts(), names,
                   [&](std::size_t i, double jobs) {
                       return preserved(policies[i], static_cast<int>(jobs));
                   })}};
}

Chart figure_5_3(const Context &context) {
    Chart chart{"mccann-fig-5.3", "Efficiency preservation of unbalanced jobs", {}};
    const double spreads[] = {0, 0.005, 0.010, 0.020};
    for (const char *policy : {"fold-inf", "equi+"}) {
        const mesh::Choice choice = mesh::parse_choice(policy);
        std::vector<StepTimes> step_times;
        for (const double spread : spreads)
            step_times.emplace_back(mccann_mesh, Environment{}, spread, context.seeds.front());
        chart.panels.push_back(
            lines(figure_name(choice), "jobs", "efficiency preservation", job_counts(),
                  {"0 ms", "5 ms", "10 ms", "20 ms"}, [&](std::size_t i, double jobs) {
                      return efficiency_preservation(choice, static_cast<int>(jobs), step_times[i]);
                  }));
    }
    return chart;
}

Results run(Context &context) {
    return {{equi_loses(), equi_plus_improves(), equi_plus_still_loses(), losses_fall(),
             folding_preserves_more(), folding_slightly_above_one(), spread_helps(context)},
            {},
            {figure_5_2(), figure_5_3(context)}};
}

} // namespace

Experiment mccann5_efficiency() {
    return {
        "mccann-5-efficiency",
        "McCann's thesis, s. 5.2.2, figures 5.2 and 5.3",
        "EQUI, EQUI+ and Folding by the efficiency that they preserve of equal jobs on 16 x 16 "
        "processors.",
        {"Eq. 5.4 for the cost of rotations as printed; eq. 5.3 with the terms of the text comes "
         "to a half or a quarter of it.",
         "The intervals of figure 5.2's Folding policies are lost; ours are those of figure 5.6 "
         "and some shorter ones.",
         "Which columns EQUI's spare ones go to (\"in a greedy manner\") is not told; ours go "
         "to the smallest partitions. Figure 4.2, which shows it, is lost."},
        run};
}

} // namespace vmall::sim::reproduce
