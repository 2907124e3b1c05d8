// SPDX-License-Identifier: GPL-2.0-or-later
//
// McCann's thesis, s. 5.4.1: short and long jobs, as many at a time as there are.
#include "experiments/mesh/sim/birth_death.hpp"
#include "experiments/mesh/sim/static_analysis.hpp"
#include "experiments/reproduce/experiments.hpp"
#include "experiments/reproduce/mccann5.hpp"
#include "experiments/reproduce/mccann5_mixed.hpp"
#include "experiments/reproduce/text.hpp"

namespace vmall::sim::reproduce {

namespace {

const char *const figure_5_8_source = "McCann's thesis, s. 5.4.1, figure 5.8";
const char *const figure_5_9_source = "McCann's thesis, s. 5.4.1, figure 5.9";
const std::vector<double> short_shares = {0.1, 0.3, 0.5, 0.7, 0.9};
const std::vector<std::string> policies = {"equi", "equi+", "fold-50", "fold-15j", "fold-inf"};
const std::vector<std::string> folding = {"fold-50", "fold-15j", "fold-inf"};

std::vector<std::string> with_uniprogramming() {
    auto all = policies;
    all.push_back(uniprogramming_fcfs);
    all.push_back(uniprogramming_sharing);
    return all;
}

std::string name_of(const std::string &policy) {
    return policy == uniprogramming_fcfs || policy == uniprogramming_sharing
               ? policy
               : figure_name(mesh::parse_choice(policy));
}

struct Class {
    const char *name;
    double Responses::*mean;
};
const Class classes[] = {{"short jobs", &Responses::short_jobs},
                         {"long jobs", &Responses::long_jobs}};

// One for each share of short jobs.
using Shares = std::vector<ByPolicy>;

Shares simulate_shares(const std::vector<std::string> &of, MixedRun run, const Context &context) {
    Shares result;
    for (const double share : short_shares) {
        run.short_share = share;
        result.push_back(simulate_mixes(of, run, context));
    }
    return result;
}

std::string share_of_short(std::size_t i) {
    return number(100 * short_shares[i]) + " % short";
}

std::vector<Measurement> compare(const Shares &shares, const std::vector<std::string> &of,
                                 const std::string &to, const Class &jobs) {
    std::vector<Measurement> measurements;
    for (const auto &policy : of) {
        for (std::size_t i = 0; i < shares.size(); i++) {
            measurements.push_back(
                {(of.size() > 1 ? name_of(policy) + ", " : "") + share_of_short(i),
                 ratios(shares[i].at(policy), shares[i].at(to), jobs.mean)});
        }
    }
    return measurements;
}

struct Runs {
    Shares baseline;
    Shares free_relocation;
    Shares equal_threads;
};

using Measure = std::function<std::vector<Measurement>(const Shares &)>;

Finding finding(const Runs &runs, const Claim &claim, const Measure &measure) {
    return {claim,
            measure(runs.baseline),
            {{"relocation takes no time", measure(runs.free_relocation)},
             {"all threads compute equally long (delta = 0)", measure(runs.equal_threads)}},
            ""};
}

Finding folding_dominates(const Runs &runs, const Class &jobs) {
    return finding(
        runs,
        {std::string("Folding responds sooner than Equipartition, ") + jobs.name, figure_5_8_source,
         "mean response, Folding / EQUI+", less_than(1), "'dominate': at every mix"},
        [&](const Shares &shares) { return compare(shares, folding, "equi+", jobs); });
}

Finding ten_per_cent(const Runs &runs, const Class &jobs) {
    return finding(
        runs,
        {std::string("FOLD_inf responds about 10 % sooner than EQUI+, ") + jobs.name,
         figure_5_8_source, "mean response, FOLD_inf / EQUI+", between(0.85, 0.95),
         "'about 10 %': 5 to 15 %", true},
        [&](const Shares &shares) { return compare(shares, {"fold-inf"}, "equi+", jobs); });
}

Finding intervals_are_comparable(const Runs &runs) {
    return finding(
        runs,
        {"FOLD_15J is comparable to FOLD_50", figure_5_8_source,
         "mean response of all jobs, FOLD_15J / FOLD_50", between(0.95, 1.05),
         "'comparable': within 5 %"},
        [](const Shares &shares) {
            return compare(shares, {"fold-15j"}, "fold-50", {"", &Responses::all});
        });
}

Finding fairness_is_similar(const Runs &runs) {
    return finding(
        runs,
        {"all policies are about equally fair", figure_5_9_source,
         "coefficient of variation of blow-up factors, policy / EQUI+", between(0.8, 1.25),
         "'very similarly': within a fifth"},
        [](const Shares &shares) {
            return compare(shares, {"equi", "fold-50", "fold-15j", "fold-inf"}, "equi+",
                           {"", &Responses::blow_up_variation});
        });
}

Finding as_fair_as_sharing(const Shares &shares) {
    return {
        {"FOLD_inf is about as fair as processor sharing", figure_5_9_source,
         "coefficient of variation of blow-up factors, FOLD_inf / Uni PS", at_most(1.25),
         "'about as well as could be hoped for any policy': at most a quarter more"},
        compare(shares, {"fold-inf"}, uniprogramming_sharing, {"", &Responses::blow_up_variation}),
        {},
        ""};
}

Finding fairer_than_fcfs(const Shares &shares) {
    return {{"first come first served is far less fair", figure_5_9_source,
             "coefficient of variation of blow-up factors, Uni FCFS / FOLD_inf", at_least(2),
             "'poor': twice as much or more"},
            compare(shares, {uniprogramming_fcfs}, "fold-inf", {"", &Responses::blow_up_variation}),
            {},
            ""};
}

// Blow-up factors of the model of s. 5.3, which has one class of jobs.
double from_the_model(const std::string &policy, double load, mesh::StepTimes &step_times) {
    const mesh::Choice choice = mesh::parse_choice(policy);
    const auto preserved = each(numbers(1, mccann_mesh.processors()), [&](int jobs) {
        return efficiency_preservation(choice, jobs, step_times);
    });
    return mesh::mean_blow_up(preserved, load);
}

// Both over processor sharing, whose mean is known to be 1 / (1 - load): what is special about the
// workload of a seed is special under both.
Finding birth_death_is_accurate(const Context &context, mesh::StepTimes equal_threads) {
    std::vector<Measurement> measurements;
    for (const double load : {0.5, 0.7}) {
        MixedRun run{equal_threads};
        run.short_share = 1;
        run.load = load;
        const auto simulated =
            simulate_mixes({"equi+", "fold-inf", uniprogramming_sharing}, run, context);
        for (const char *policy : {"equi+", "fold-inf"}) {
            const double expected = from_the_model(policy, load, equal_threads) * (1 - load);
            auto factors = ratios(simulated.at(policy), simulated.at(uniprogramming_sharing),
                                  &Responses::blow_up);
            for (double &factor : factors)
                factor /= expected;
            measurements.push_back(
                {name_of(policy) + ", load " + number(100 * load) + " %", factors});
        }
    }
    return {{"the birth-death model agrees with the simulation", "McCann's thesis, s. 5.3",
             "mean blow-up over that of processor sharing, simulated / from the model",
             between(0.9, 1.1), "'very accurate': within a tenth"},
            measurements,
            {},
            "Jobs take 30 seconds alone on average; the model has no relocation when they come and "
            "go."};
}

// Which of Folding's policies is best for whom.
std::string rotations_and_classes(const Shares &shares) {
    std::string text = "Mean response, FOLD_50 / FOLD_inf, with 50 % short jobs:";
    for (const Class &jobs : classes) {
        const ByPolicy &half = shares[short_shares.size() / 2];
        text +=
            std::string(" ") + jobs.name + " " +
            with_interval(summarise(ratios(half.at("fold-50"), half.at("fold-inf"), jobs.mean))) +
            (&jobs == classes ? "," : ".");
    }
    return text;
}

Panel panel(const Shares &shares, const std::vector<std::string> &of, const std::string &title,
            const std::string &y_label, double Responses::*member) {
    Panel result{title, "share of short jobs", y_label, short_shares, {}};
    for (const auto &policy : of) {
        Series series{name_of(policy), {}};
        for (const auto &share : shares)
            series.points.push_back(summarise(values(share.at(policy), member)));
        result.series.push_back(std::move(series));
    }
    return result;
}

Results run(Context &context) {
    const MixedRun baseline{application(0.005)};
    MixedRun free_relocation = baseline;
    free_relocation.relocation_is_free = true;
    const MixedRun equal_threads{application(0)};
    const Runs runs = {simulate_shares(with_uniprogramming(), baseline, context),
                       simulate_shares(policies, free_relocation, context),
                       simulate_shares(policies, equal_threads, context)};
    Results results;
    for (const Class &jobs : classes) {
        results.findings.push_back(folding_dominates(runs, jobs));
        results.findings.push_back(ten_per_cent(runs, jobs));
        results.findings.back().why = rotations_and_classes(runs.baseline);
    }
    results.findings.push_back(intervals_are_comparable(runs));
    results.findings.push_back(fairness_is_similar(runs));
    results.findings.push_back(as_fair_as_sharing(runs.baseline));
    results.findings.push_back(fairer_than_fcfs(runs.baseline));
    results.findings.push_back(birth_death_is_accurate(context, equal_threads.step_times));
    const char *const response = "mean response (s)";
    results.charts = {
        {"mccann-fig-5.8",
         "Mean response times at load 50 %",
         {panel(runs.baseline, policies, "short jobs", response, &Responses::short_jobs),
          panel(runs.baseline, policies, "long jobs", response, &Responses::long_jobs)}},
        {"mccann-fig-5.9",
         "Fairness at load 50 %",
         {panel(runs.baseline, with_uniprogramming(), "",
                "coefficient of variation of blow-up factors", &Responses::blow_up_variation)}}};
    return results;
}

} // namespace

Experiment mccann5_unlimited() {
    return {"mccann-5-mixed",
            "McCann's thesis, s. 5.4.1, figures 5.8 and 5.9",
            "EQUI, EQUI+ and Folding on 16 x 16 processors with short jobs (30 seconds alone) and "
            "long ones (15 minutes), simulated at load 50 %.",
            {"What it costs to move a job when others come and go is not told. Ours: as for "
             "rotations, the threads on processors that change hands cross the longer dimension "
             "while the job stands still; loading a new job costs nothing.",
             "Which of the shares of short jobs are in the figures is lost; ours go from 10 to 90 "
             "%."},
            run};
}

} // namespace vmall::sim::reproduce
