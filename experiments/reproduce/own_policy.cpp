// SPDX-License-Identifier: GPL-2.0-or-later
//
// Not of a paper: the policy of our own (doc/policy.md) on the workloads of Utrera's thesis and of
// the FJT paper, against all policies that these compare, and against stock Slurm's.
#include "experiments/reproduce/experiments.hpp"
#include "experiments/reproduce/grid_claims.hpp"
#include "experiments/reproduce/text.hpp"
#include "policy/policies.hpp"
#include "sim/report/sample.hpp"

namespace vmall::sim::reproduce {

namespace {

using namespace quantities;

const std::string ours = "least-work", stock = "EASY";
const std::string source = "doc/policy.md";

Assumptions as_measured() {
    Assumptions assumptions;
    assumptions.folding_cost.by_mpl = {1, 1.04, 1.07, 1.11};
    return assumptions;
}

std::vector<Situation> all_situations(const Context &context, const Assumptions &assumptions) {
    std::vector<Situation> situations;
    for (PaperWorkload workload : paper_workloads()) {
        workload.duration =
            static_cast<policy::Seconds>(static_cast<double>(workload.duration) * context.length);
        const double number = static_cast<double>(situations.size()) + 1;
        situations.push_back({workload.name, number, [=](std::uint64_t seed) {
                                  return workload.burst > 0
                                             ? utrera_burst(workload.burst, assumptions, seed)
                                             : utrera_workload(workload, assumptions, seed);
                              }});
    }
    return situations;
}

Contender of_preset(const std::string &name, const std::string &shown_as,
                    const FoldingCost &folding_cost) {
    const policy::NamedPolicy &policy = policy::find_policy(name);
    return {shown_as, policy.settings, folding_cost, policy.rigid_jobs};
}

Grid make_grid(const Context &context, const Assumptions &assumptions) {
    using namespace contenders;
    return Grid(context, all_situations(context, assumptions),
                {of_preset("easy", stock, {}), of_preset(ours, ours, assumptions.folding_cost),
                 fcfs_backfilling_abort(assumptions), fjt4(assumptions),
                 fjt4_backfilling_abort(assumptions), fjt1_backfilling_abort(assumptions),
                 fjt1_backfilling_malleability(assumptions), psa(), asp60(),
                 folding(assumptions, policy::highest_mpl)},
                5);
}

Names situations_of(const Grid &grid) {
    Names names;
    for (const Situation &situation : grid.situations())
        names.push_back(situation.name);
    return names;
}

GridClaim no_later(const std::string &who, const Quantity &response, const Names &others) {
    return {{who, source, "mean response, least-work / other", at_most(1), ""},
            [=](const Grid &grid) {
                const Names all = others.empty() ? all_but(grid, {ours, stock}) : others;
                return ratio(grid, situations_of(grid), ours, all, response);
            },
            {}};
}

std::vector<GridClaim> claims() {
    return {
        no_later("jobs respond no later than under the best of the papers' policies", all_response,
                 {}),
        no_later("long jobs respond no later than under stock Slurm's policy", long_response,
                 {stock}),
        no_later("short jobs respond no later than under stock Slurm's policy", short_response,
                 {stock}),
        no_later("long jobs respond no later than under the papers' policy that is best for them",
                 long_response, {}),
        no_later("short jobs respond no later than under the papers' policy that is best for them",
                 short_response, {}),
    };
}

Table ratios(const Grid &grid, const std::string &jobs, const Quantity &response) {
    const Names others = all_but(grid, {ours});
    Table table{"Mean response of " + jobs + ": least-work / other policy.", {""}, {}};
    table.header.insert(table.header.end(), others.begin(), others.end());
    for (const std::string &situation : situations_of(grid)) {
        table.rows.push_back({situation});
        for (const Measurement &one : ratio(grid, {situation}, ours, others, response))
            table.rows.back().push_back(number(summarise(one.values).mean));
    }
    return table;
}

std::vector<Variation> variations() {
    return {
        {"folding costs nothing", [](Assumptions &a) { a.folding_cost = {}; }},
        {"folding costs 50 %",
         [](Assumptions &a) {
             a.folding_cost.by_mpl = {1, 1.5, 1.5, 1.5};
         }},
        {"users' estimates are up to five times too long",
         [](Assumptions &a) { a.estimate_factor = 5; }},
        {"long jobs accept any small number of processes",
         [](Assumptions &a) { a.smallest_long = 1; }},
        {"long jobs accept no fewer than 16 processes",
         [](Assumptions &a) { a.smallest_long = 16; }},
        {"two of three jobs of a burst are long", [](Assumptions &a) { a.long_jobs_of_three = 2; }},
    };
}

Results run(const Context &context) {
    Results results;
    const auto show = [&](const Grid &grid) {
        results.tables = {ratios(grid, "all jobs", all_response),
                          ratios(grid, "long jobs", long_response),
                          ratios(grid, "short jobs", short_response)};
    };
    results.findings = measure(context, claims(), variations(), make_grid, show, as_measured());
    return results;
}

} // namespace

Experiment own_policy() {
    auto assumptions = utrera_assumptions("five workloads");
    assumptions.push_back(
        "Folding costs 4, 7 and 11 % at MPL 2, 3 and 4, as doc/runtime.md has it; "
        "varied below.");
    return {"own-policy", "The policy of our own (doc/policy.md)",
            "Queue discipline least-work with sizing adaptive against all policies of Utrera's "
            "thesis and the FJT paper, and against EASY with jobs as large as they accept, which "
            "is what stock Slurm does: the mixes w1 to w6, high and low communication at loads of "
            "40 to 100 %, and bursts.",
            assumptions, run};
}

} // namespace vmall::sim::reproduce
