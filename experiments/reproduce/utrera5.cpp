// SPDX-License-Identifier: GPL-2.0-or-later
//
// Utrera's thesis, ch. 5: FJT against folding with moldability, PSA and ASP; figures 5.6 to 5.9.
#include "experiments/reproduce/experiments.hpp"
#include "experiments/reproduce/grid_claims.hpp"
#include "experiments/reproduce/text.hpp"

namespace vmall::sim::reproduce {

namespace {

using namespace quantities;

const std::string fjt = "FJT (4)", psa = "PSA", asp = "ASP60", folding = "FOLDING";
const Names more_long = {"w1", "w2", "w3"}, more_short = {"w4", "w5", "w6"};
const Names others = {psa, asp, folding};
const std::string fig_6 = "Utrera s. 5.4.2, fig. 5.6", fig_7 = "Utrera s. 5.4.2, fig. 5.7",
                  fig_8 = "Utrera s. 5.4.2, fig. 5.8";

Grid make_grid(const Context &context, const Assumptions &assumptions) {
    std::vector<Situation> situations;
    for (int number = 1; number <= 6; number++) {
        PaperWorkload workload = find_paper_workload("w" + std::to_string(number));
        workload.duration =
            static_cast<policy::Seconds>(static_cast<double>(workload.duration) * context.length);
        situations.push_back({workload.name, static_cast<double>(number), [=](std::uint64_t seed) {
                                  return utrera_workload(workload, assumptions, seed);
                              }});
    }
    return Grid(context, situations,
                {contenders::psa(), contenders::asp60(),
                 contenders::folding(assumptions, policy::highest_mpl),
                 contenders::fjt4(assumptions)},
                10);
}

// The mean of the others' responses.
std::vector<double> others_response(const Grid &grid, const std::string &situation) {
    std::vector<double> sums(grid.at(situation, fjt).size());
    for (const std::string &other : others) {
        const auto add = values(grid, situation, other, long_response);
        for (std::size_t i = 0; i < sums.size(); i++)
            sums[i] += add[i] / static_cast<double>(others.size());
    }
    return sums;
}

Measurement gain(const Grid &grid, const std::string &situation) {
    Measurement gain{situation, values(grid, situation, fjt, long_response)};
    const auto mean = others_response(grid, situation);
    for (std::size_t i = 0; i < mean.size(); i++)
        gain.values[i] = 1 - gain.values[i] / mean[i];
    return gain;
}

std::vector<Measurement> gains(const Grid &grid, const Names &situations) {
    std::vector<Measurement> all;
    for (const std::string &situation : situations)
        all.push_back(gain(grid, situation));
    return all;
}

std::vector<Measurement> gain_with_more_short(const Grid &grid) {
    std::vector<Measurement> all;
    for (std::size_t i = 0; i < more_long.size(); i++) {
        Measurement one = gain(grid, more_short[i]);
        const Measurement other = gain(grid, more_long[i]);
        for (std::size_t seed = 0; seed < one.values.size(); seed++)
            one.values[seed] -= other.values[seed];
        one.where = more_short[i] + " less " + more_long[i];
        all.push_back(std::move(one));
    }
    return all;
}

std::vector<GridClaim> claims_of_more_long() {
    return {
        {{"FJT lets long jobs respond soonest", fig_6, "mean response of long jobs, FJT / others",
          less_than(1), ""},
         [](const Grid &g) { return ratio(g, more_long, fjt, others, long_response); },
         {}},
        {{"under FJT the response of long jobs stays constant as the load grows", fig_6,
          "mean response of long jobs, w3 / w1", between(0.8, 1.25),
          "'constant': within a quarter"},
         [](const Grid &g) { return ratio_of_situations(g, "w3", "w1", {fjt}, long_response); },
         {}},
        {{"execution is the greater part of long jobs' response", fig_6,
          "mean execution / mean response of long jobs", at_least(0.5), ""},
         [](const Grid &g) {
             return share(g, more_long, {psa, asp, folding, fjt}, long_execution, long_response);
         },
         {}},
        {{"waiting is the greater part of short jobs' response, but for FJT", fig_7,
          "mean wait / mean response of short jobs", at_least(0.5), ""},
         [](const Grid &g) { return share(g, more_long, others, short_wait, short_response); },
         {}},
        {{"under FJT execution is the greater part of short jobs' response", fig_7,
          "mean wait / mean response of short jobs", at_most(0.5), ""},
         [](const Grid &g) { return share(g, more_long, {fjt}, short_wait, short_response); },
         {}},
        {{"under FJT short jobs respond later as the load grows", fig_7,
          "mean response of short jobs, w3 / w1", more_than(1), ""},
         [](const Grid &g) { return ratio_of_situations(g, "w3", "w1", {fjt}, short_response); },
         {}},
        {{"PSA favours short jobs where FJT favours long ones", fig_7,
          "mean response of short jobs, PSA / FJT, in w3", less_than(1), ""},
         [](const Grid &g) { return ratio(g, {"w3"}, psa, {fjt}, short_response); },
         {}},
    };
}

std::vector<GridClaim> claims_of_more_short() {
    return {
        {{"FJT lets long jobs respond soonest", fig_8, "mean response of long jobs, FJT / others",
          less_than(1), ""},
         [](const Grid &g) { return ratio(g, more_short, fjt, others, long_response); },
         {}},
        {{"FJT is ahead by more than where there are more long jobs", fig_8,
          "1 - FJT / mean of the others, of long jobs' response: difference", more_than(0), ""},
         gain_with_more_short,
         {}},
        {{"FOLDING and PSA are the worst for long jobs", fig_8,
          "mean response of long jobs, FOLDING and PSA / ASP60", more_than(1), ""},
         [](const Grid &g) {
             return both(ratio(g, more_short, folding, {asp}, long_response), folding,
                         ratio(g, more_short, psa, {asp}, long_response), psa);
         },
         {}},
        {{"PSA's share is smaller where there are more short jobs", fig_8,
          "mean processors of long jobs under PSA, w4 / w1 and so on", less_than(1), ""},
         [](const Grid &g) {
             std::vector<Measurement> all;
             for (std::size_t i = 0; i < more_long.size(); i++) {
                 all.push_back(ratio_of_situations(g, more_short[i], more_long[i], {psa},
                                                   long_processors)[0]);
                 all.back().where = more_short[i] + " / " + more_long[i];
             }
             return all;
         },
         {}},
        {{"FOLDING keeps waits shortest", fig_8, "mean wait of long jobs, FOLDING less others (s)",
          less_than(0), ""},
         [](const Grid &g) {
             return difference(g, more_short, folding, {psa, asp, fjt}, long_wait);
         },
         {}},
        {{"FJT is about 30 % ahead for long jobs", "Utrera s. 5.5",
          "1 - FJT / mean of the others, of long jobs' response", between(0.2, 0.4),
          "'about': within 10 points", true},
         [](const Grid &g) {
             auto all = gains(g, more_long);
             for (Measurement &one : gains(g, more_short))
                 all.push_back(std::move(one));
             return all;
         },
         {}},
        {{"short jobs respond alike, in some cases later under FJT", "Utrera s. 5.5, fig. 5.9",
          "mean response of short jobs, FJT / others", between(0.8, 1.25),
          "'similar': within a quarter"},
         [](const Grid &g) { return ratio(g, more_short, fjt, others, short_response); },
         {}},
    };
}

Results run(const Context &context) {
    std::vector<GridClaim> claims = claims_of_more_long();
    for (GridClaim &claim : claims_of_more_short())
        claims.push_back(std::move(claim));
    Results results;
    const auto show = [&](const Grid &grid) {
        results.tables = {means_table(grid, "Means over jobs and seeds; times in seconds.")};
        results.charts = {bars(grid, "utrera5-response", "Response times", "workload",
                               long_response, short_response),
                          bars(grid, "utrera5-wait", "Waits", "workload", long_wait, short_wait)};
    };
    std::vector<Variation> variations = common_variations();
    for (Variation &variation : moldability_variations())
        variations.push_back(std::move(variation));
    variations.push_back(
        {"LU.W in place of BT.W", [](Assumptions &a) { a.short_application = "LU.W"; }});
    results.findings = measure(context, claims, variations, make_grid, show);
    return results;
}

} // namespace

Experiment utrera5() {
    auto assumptions = utrera_assumptions("ten workloads of 600 s");
    assumptions.push_back("bt.W is not in table 3.2: it runs as LU.W does, on square numbers of "
                          "processes.");
    assumptions.push_back("FOLDING's time sharing costs no more than coscheduling, to its favour; "
                          "its MPL ends at 4.");
    return {"utrera5-fig-5.6-5.9", "Utrera's thesis, figures 5.6 to 5.9",
            "FJT (4), folding with moldability, PSA and ASP-MAX (60 %) with six mixes of long and "
            "short jobs at loads of 50 to 70 % (table 5.3).",
            assumptions, run};
}

} // namespace vmall::sim::reproduce
