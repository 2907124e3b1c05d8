// SPDX-License-Identifier: GPL-2.0-or-later
//
// Utrera, Corbalan and Labarta, the paper that introduces folding by job type: jobs that arrive
// together; figures 5 and 6.
#include "experiments/reproduce/experiments.hpp"
#include "experiments/reproduce/grid_claims.hpp"

#include <cmath>

namespace vmall::sim::reproduce {

namespace {

using namespace quantities;

const std::string fifo = "FIFO", fjt = "FJT (4)", psa = "PSA", asp = "ASP60", folding = "FOLDING";
const Names others = {psa, asp, folding};
const Names bursts = {"burst of 3", "burst of 6", "burst of 9"};
const std::string fig_5 = "FJT paper s. 6, fig. 5", fig_6 = "FJT paper s. 6, fig. 6";

Grid make_grid(const Context &context, const Assumptions &assumptions) {
    std::vector<Situation> situations;
    for (const int jobs : {3, 6, 9}) {
        situations.push_back(
            {"burst of " + std::to_string(jobs), static_cast<double>(jobs),
             [=](std::uint64_t seed) { return utrera_burst(jobs, assumptions, seed); }});
    }
    const int repeats = static_cast<int>(std::ceil(50 * context.length));
    return Grid(context, situations,
                {contenders::fifo(), contenders::psa(), contenders::asp60(),
                 contenders::folding(assumptions, 2), contenders::fjt4(assumptions)},
                repeats);
}

const std::string slowdown = "mean of long jobs' response / response under FIFO, ";

std::vector<GridClaim> claims() {
    return {
        {{"FJT's slowdown relative to FIFO is 1.15 to 1.33 with bursts of 3 to 9", "FJT paper s. 7",
          slowdown + "FJT", between(1.15, 1.33), "", true},
         [](const Grid &g) { return plain(g, bursts, fjt, long_slowdown); },
         {}},
        {{"PSA's slowdown relative to FIFO is 1 with a burst of 3", "FJT paper s. 7",
          slowdown + "PSA", between(0.9, 1.1), "within a tenth"},
         [](const Grid &g) { return plain(g, {bursts[0]}, psa, long_slowdown); },
         {}},
        {{"PSA's slowdown relative to FIFO reaches 4.38 with larger bursts", "FJT paper s. 7",
          slowdown + "PSA", between(3.94, 4.82), "within a tenth, with the largest burst", true},
         [](const Grid &g) { return plain(g, {bursts[2]}, psa, long_slowdown); },
         {}},
        {{"PSA's slowdown grows with the burst", fig_6, slowdown + "PSA, with 9 less with 3",
          more_than(0), ""},
         [](const Grid &g) {
             auto nine = plain(g, {bursts[2]}, psa, long_slowdown);
             const auto three = plain(g, {bursts[0]}, psa, long_slowdown);
             for (std::size_t i = 0; i < nine[0].values.size(); i++)
                 nine[0].values[i] -= three[0].values[i];
             nine[0].where.clear();
             return nine;
         },
         {}},
        {{"FJT's slowdown of long jobs is the smallest, above all with 9 jobs", fig_6,
          slowdown + "FJT / others", less_than(1), ""},
         [](const Grid &g) { return ratio(g, {bursts[2]}, fjt, others, long_slowdown); },
         {}},
        {{"short jobs are slowed down alike by all policies", fig_6,
          "mean of short jobs' response / response under FIFO, others / FJT", between(0.8, 1.25),
          "'similar': within a quarter"},
         [](const Grid &g) {
             return both(ratio(g, bursts, psa, {fjt}, short_slowdown), psa,
                         both(ratio(g, bursts, asp, {fjt}, short_slowdown), asp,
                              ratio(g, bursts, folding, {fjt}, short_slowdown), folding),
                         "");
         },
         {}},
        {{"ASP60 slows short jobs down least", fig_6,
          "mean of short jobs' response / response under FIFO, ASP60 / others", less_than(1), ""},
         [](const Grid &g) {
             return ratio(g, bursts, asp, {psa, folding, fjt}, short_slowdown);
         },
         {}},
        {{"long jobs get more processors under FJT than under the others", fig_5,
          "mean processors of long jobs, FJT / others", more_than(1), ""},
         [](const Grid &g) { return ratio(g, bursts, fjt, others, long_processors); },
         {}},
    };
}

Results run(const Context &context) {
    Results results;
    const auto show = [&](const Grid &grid) {
        results.tables = {means_table(grid, "Means over jobs and seeds; times in seconds.")};
        results.charts = {
            bars(grid, "fjt-fig-5", "Processors", "burst", long_processors, short_processors),
            bars(grid, "fjt-fig-6", "Slowdown of responses against FIFO", "burst", long_slowdown,
                 short_slowdown)};
    };
    std::vector<Variation> variations = common_variations();
    for (Variation &variation : moldability_variations())
        variations.push_back(std::move(variation));
    variations.push_back(
        {"two of three jobs are long", [](Assumptions &a) { a.long_jobs_of_three = 2; }});
    results.findings = measure(context, claims(), variations, make_grid, show);
    return results;
}

} // namespace

Experiment fjt_paper_bursts() {
    auto assumptions = utrera_assumptions("fifty bursts");
    assumptions.push_back("One of three jobs is long, BT.A or CG.B, the others LU.W or Sweep3D; "
                          "which, and in what order they stand, is drawn.");
    assumptions.push_back("FOLDING's time sharing costs no more than coscheduling, to its favour.");
    return {"fjt-fig-5-6", "FJT paper, figures 5 and 6",
            "FJT, folding with moldability (MPL 2), PSA, ASP-MAX (60 %) and FIFO when 3, 6 or 9 "
            "jobs arrive together on an idle machine.",
            assumptions, run};
}

} // namespace vmall::sim::reproduce
