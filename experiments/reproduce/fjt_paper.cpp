// SPDX-License-Identifier: GPL-2.0-or-later
//
// Utrera, Corbalan and Labarta, the paper that introduces folding by job type; figures 1 to 4.
#include "experiments/reproduce/experiments.hpp"
#include "experiments/reproduce/grid_claims.hpp"

namespace vmall::sim::reproduce {

namespace {

using namespace quantities;

const std::string fifo = "FIFO", fjt = "FJT (4)", psa = "PSA", asp = "ASP60", folding = "FOLDING";
const Names more_long = {"w1", "w2", "w3"}, more_short = {"w4", "w5", "w6"};
const Names others = {psa, asp, folding};
const Names every_mix = {"w1", "w2", "w3", "w4", "w5", "w6"};
const std::string text = "FJT paper s. 6, ";

Grid make_grid(const Context &context, const Assumptions &assumptions) {
    std::vector<Situation> situations;
    for (int number = 1; number <= 6; number++) {
        PaperWorkload workload = find_paper_workload("w" + std::to_string(number));
        workload.applications = {"BT.A", "CG.B", "LU.W", "Sweep3D"};
        workload.duration = static_cast<policy::Seconds>(900 * context.length);
        situations.push_back({workload.name, static_cast<double>(number), [=](std::uint64_t seed) {
                                  return utrera_workload(workload, assumptions, seed);
                              }});
    }
    return Grid(context, situations,
                {contenders::fifo(), contenders::psa(), contenders::asp60(),
                 contenders::folding(assumptions, 2), contenders::fjt4(assumptions)},
                10);
}

// Of FJT's slowdown relative to FIFO in two mixes.
Measurement steady(const Grid &grid, const std::string &one, const std::string &other) {
    auto slowdown = ratio(grid, {one}, fjt, {fifo}, long_response)[0];
    const auto base = ratio(grid, {other}, fjt, {fifo}, long_response)[0];
    for (std::size_t i = 0; i < slowdown.values.size(); i++)
        slowdown.values[i] /= base.values[i];
    slowdown.where = one + " / " + other;
    return slowdown;
}

std::vector<GridClaim> response_claims() {
    return {
        {{"FJT is the best for long jobs where they are more", text + "fig. 1",
          "mean response of long jobs, FJT / others", less_than(1), ""},
         [](const Grid &g) { return ratio(g, more_long, fjt, others, long_response); },
         {}},
        {{"short jobs respond alike under all policies", text + "fig. 1",
          "mean response of short jobs, others / FJT", between(0.8, 1.25),
          "'very similar': within a quarter"},
         [](const Grid &g) {
             return both(ratio(g, more_long, psa, {fjt}, short_response), psa,
                         both(ratio(g, more_long, asp, {fjt}, short_response), asp,
                              ratio(g, more_long, folding, {fjt}, short_response), folding),
                         "");
         },
         {}},
        {{"PSA is quite similar to FJT for long jobs", text + "fig. 1",
          "mean response of long jobs, PSA / FJT", between(0.8, 1.25),
          "'similar': within a quarter"},
         [](const Grid &g) { return ratio(g, more_long, psa, {fjt}, long_response); },
         {}},
        {{"FJT is slightly better for long jobs where short ones are more", text + "fig. 2",
          "mean response of long jobs, FJT / others", less_than(1), ""},
         [](const Grid &g) { return ratio(g, more_short, fjt, others, long_response); },
         {}},
        {{"FOLDING is the worst for long jobs", text + "fig. 2",
          "mean response of long jobs, FOLDING / others", more_than(1), ""},
         [](const Grid &g) {
             return ratio(g, more_short, folding, {psa, asp, fjt}, long_response);
         },
         {}},
        {{"FJT's slowdown of long jobs is almost the same whatever the mix", text + "fig. 1, 2",
          "response of long jobs FJT / FIFO, of one mix / of another", between(0.8, 1.25),
          "'almost the same': within a quarter"},
         [](const Grid &g) {
             return std::vector<Measurement>{steady(g, "w3", "w1"), steady(g, "w6", "w4"),
                                             steady(g, "w4", "w1")};
         },
         {}},
    };
}

std::vector<GridClaim> wait_claims() {
    return {
        {{"FOLDING keeps waits lowest: long jobs", text + "fig. 3, 4",
          "mean wait of long jobs, FOLDING less others (s)", less_than(0), ""},
         [](const Grid &g) {
             return difference(g, every_mix, folding, {psa, asp, fjt}, long_wait);
         },
         {}},
        {{"FOLDING keeps waits lowest: short jobs", text + "fig. 3, 4",
          "mean wait of short jobs, FOLDING less others (s)", less_than(0), ""},
         [](const Grid &g) {
             return difference(g, every_mix, folding, {psa, asp, fjt}, short_wait);
         },
         {}},
        {{"long jobs wait longest under FJT where they are more", text + "fig. 3, 4",
          "mean wait of long jobs under FJT, of w1 less w4 and so on (s)", more_than(0), ""},
         [](const Grid &g) {
             std::vector<Measurement> all;
             for (std::size_t i = 0; i < more_long.size(); i++) {
                 all.push_back(
                     difference_of_situations(g, more_long[i], more_short[i], {fjt}, long_wait)[0]);
                 all.back().where = more_long[i] + " less " + more_short[i];
             }
             return all;
         },
         {}},
    };
}

Results run(const Context &context) {
    std::vector<GridClaim> claims = response_claims();
    for (GridClaim &claim : wait_claims())
        claims.push_back(std::move(claim));
    Results results;
    const auto show = [&](const Grid &grid) {
        results.tables = {means_table(grid, "Means over jobs and seeds; times in seconds.")};
        results.charts = {
            bars(grid, "fjt-fig-1-2", "Response times", "workload", long_response, short_response),
            bars(grid, "fjt-fig-3-4", "Waits", "workload", long_wait, short_wait)};
    };
    std::vector<Variation> variations = common_variations();
    for (Variation &variation : moldability_variations())
        variations.push_back(std::move(variation));
    results.findings = measure(context, claims, variations, make_grid, show);
    return results;
}

} // namespace

Experiment fjt_paper() {
    auto assumptions = utrera_assumptions("ten workloads of 900 s");
    assumptions.push_back("FOLDING's time sharing costs no more than coscheduling, to its favour.");
    return {"fjt-fig-1-4", "FJT paper, figures 1 to 4",
            "FJT, folding with moldability (MPL 2), PSA, ASP-MAX (60 %) and FIFO with six mixes of "
            "long and short jobs at loads of 50 to 70 % (table 4).",
            assumptions, run};
}

} // namespace vmall::sim::reproduce
