// SPDX-License-Identifier: GPL-2.0-or-later
//
// McCann's thesis, s. 5.4.2: short and long jobs, a limited number at a time.
#include "experiments/reproduce/experiments.hpp"
#include "experiments/reproduce/mccann5.hpp"
#include "experiments/reproduce/mccann5_mixed.hpp"
#include "experiments/reproduce/text.hpp"

#include <limits>

namespace vmall::sim::reproduce {

namespace {

const char *const figure_5_10_source = "McCann's thesis, s. 5.4.2, figure 5.10";
const char *const figure_5_11_source = "McCann's thesis, s. 5.4.2, figure 5.11";
const std::vector<double> limits = {1, 2, 3, 4, 6, 8, 16};
const std::vector<std::string> policies = {"equi+", "fold-inf"};

// Responses by limit, as in `limits`.
using Limits = std::vector<ByPolicy>;

Limits simulate_limits(MixedRun run, const Context &context) {
    Limits result;
    for (const double limit : limits) {
        run.limit = static_cast<int>(limit);
        result.push_back(simulate_mixes(policies, run, context));
    }
    return result;
}

MixedRun baseline() {
    MixedRun run{application(0.005)};
    run.jobs = 10000;
    run.quantum = 10;
    run.overhead = 0.01;
    return run;
}

struct Variant {
    const char *assumption;
    Limits limits;
};

std::vector<Variant> simulate_variants(const MixedRun &base, const Context &context) {
    MixedRun costly = base;
    costly.overhead = 0.03;
    MixedRun seldom = base;
    seldom.quantum = 60;
    MixedRun many_short = base;
    many_short.short_share = 0.9;
    return {{"preemption takes 3 % of a quantum", simulate_limits(costly, context)},
            {"a quantum of 60 seconds", simulate_limits(seldom, context)},
            {"90 % short jobs", simulate_limits(many_short, context)}};
}

using Measure = std::function<std::vector<Measurement>(const Limits &)>;

Finding finding(const Limits &base, const std::vector<Variant> &variants, const Claim &claim,
                const Measure &measure) {
    Finding result{claim, measure(base), {}, ""};
    for (const Variant &variant : variants)
        result.alternatives.push_back({variant.assumption, measure(variant.limits)});
    return result;
}

std::string limit_of(std::size_t i) {
    return "limit " + number(limits[i]);
}

// Under one policy, limits of 2 to 4 over the highest one.
std::vector<Measurement> small_limits(const Limits &by_limit, const std::string &policy,
                                      double Responses::*member) {
    std::vector<Measurement> measurements;
    for (std::size_t i = 1; i <= 3; i++) {
        measurements.push_back(
            {limit_of(i), ratios(by_limit[i].at(policy), by_limit.back().at(policy), member)});
    }
    return measurements;
}

// The limit up to 8 that is best with the first half of the seeds, over the highest one with the
// other half: chosen and measured with the same seeds it would look better than it is.
std::vector<Measurement> best_limit(const Limits &by_limit, const std::string &policy) {
    Measurement best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 1 < limits.size(); i++) {
        const auto all =
            ratios(by_limit[i].at(policy), by_limit.back().at(policy), &Responses::all);
        const double to_choose_by = mean({all.begin(), all.end() - all.size() / 2});
        if (to_choose_by < least) {
            least = to_choose_by;
            best = {limit_of(i), {all.begin() + all.size() / 2, all.end()}};
        }
    }
    return {best};
}

std::vector<Finding> findings(const Limits &base, const std::vector<Variant> &variants) {
    return {
        finding(
            base, variants,
            {"small limits on jobs at a time are bad for Folding", figure_5_10_source,
             "mean response of all jobs under FOLD_inf, limit / limit 16", more_than(1),
             "'detrimental': slower"},
            [](const Limits &by_limit) {
                return small_limits(by_limit, "fold-inf", &Responses::all);
            }),
        finding(
            base, variants,
            {"and may be good for Equipartition", figure_5_10_source,
             "mean response of all jobs under EQUI+, best limit up to 8 / limit 16", at_most(0.999),
             "'may be beneficial': quicker with one of them"},
            [](const Limits &by_limit) { return best_limit(by_limit, "equi+"); }),
        finding(
            base, variants,
            {"both are about equally fair at every limit", figure_5_11_source,
             "coefficient of variation of blow-up factors, FOLD_inf / EQUI+", between(0.8, 1.25),
             "'about the same': within a fifth"},
            [](const Limits &by_limit) {
                std::vector<Measurement> measurements;
                for (std::size_t i = 0; i < limits.size(); i++)
                    measurements.push_back(
                        {limit_of(i), ratios(by_limit[i].at("fold-inf"), by_limit[i].at("equi+"),
                                             &Responses::blow_up_variation)});
                return measurements;
            }),
        finding(
            base, variants,
            {"small limits are far less fair than high ones", figure_5_11_source,
             "coefficient of variation of blow-up factors, limit 2 / limit 16", at_least(1.5),
             "'significantly larger': half as much again or more"},
            [](const Limits &by_limit) {
                std::vector<Measurement> measurements;
                for (const auto &policy : policies)
                    measurements.push_back(
                        {figure_name(mesh::parse_choice(policy)),
                         ratios(by_limit[1].at(policy), by_limit.back().at(policy),
                                &Responses::blow_up_variation)});
                return measurements;
            }),
    };
}

std::vector<Chart> charts(const Limits &base) {
    const auto panel = [&](const std::string &title, const std::string &y_label,
                           double Responses::*member) {
        Panel result{title, "limit on jobs at a time", y_label, limits, {}};
        for (const auto &policy : policies) {
            Series series{figure_name(mesh::parse_choice(policy)), {}};
            for (const auto &by_policy : base)
                series.points.push_back(summarise(values(by_policy.at(policy), member)));
            result.series.push_back(std::move(series));
        }
        return result;
    };
    const char *const response = "mean response (s)";
    return {{"mccann-fig-5.10",
             "Mean response times by limit on jobs at a time",
             {panel("short jobs", response, &Responses::short_jobs),
              panel("long jobs", response, &Responses::long_jobs),
              panel("all jobs", response, &Responses::all)}},
            {"mccann-fig-5.11",
             "Fairness by limit on jobs at a time",
             {panel("", "coefficient of variation of blow-up factors",
                    &Responses::blow_up_variation)}}};
}

Results run(Context &context) {
    const Limits base = simulate_limits(baseline(), context);
    const auto variants = simulate_variants(baseline(), context);
    return {findings(base, variants), {}, charts(base)};
}

} // namespace

Experiment mccann5_limited() {
    return {"mccann-5-limited",
            "McCann's thesis, s. 5.4.2, figures 5.10 and 5.11",
            "EQUI+ and Folding without rotations with a limit on jobs at a time, preempting jobs "
            "for those that wait; load 50 %, half of the jobs short.",
            {"The share of short jobs is not told: half of them.",
             "The quantum is not told: 10 seconds, of which all jobs stand still for 1 % whenever "
             "some are preempted. Those that have run longest make room."},
            run};
}

} // namespace vmall::sim::reproduce
