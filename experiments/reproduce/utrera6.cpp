// SPDX-License-Identifier: GPL-2.0-or-later
//
// Utrera's thesis, ch. 6: FJT with backfilling, and what becomes of backfilled jobs whose window
// has expired; figures 6.4 to 6.15.
#include "experiments/reproduce/experiments.hpp"
#include "experiments/reproduce/grid_claims.hpp"
#include "experiments/reproduce/text.hpp"

namespace vmall::sim::reproduce {

namespace {

using namespace quantities;

const std::string fjt4 = "FJT (4)", rigid = "FCFS + backf (abort)",
                  aborting = "FJT (1) + backf (abort)",
                  malleable = "FJT (1) + backf (malleability)";
const Names every_load = {"load 40 %", "load 60 %", "load 80 %", "load 100 %"};
const std::string lowest = every_load.front(), highest = every_load.back();
const Names high_loads = {"load 80 %", "load 100 %"};

// One of the two families of workloads: its figures.
struct Family {
    std::string name;
    std::string degree;
    std::string figures;
    std::string long_response, short_response, waits, executions; // of them
};

const Family high_communication = {
    "utrera6-high",    "high",     "6.4, 6.5, 6.8, 6.9, 6.12 and 6.13",
    "fig. 6.4",        "fig. 6.5", "figs. 6.8, 6.9",
    "figs. 6.12, 6.13"};

const Family low_communication = {
    "utrera6-low",     "low",      "6.6, 6.7, 6.10, 6.11, 6.14 and 6.15",
    "fig. 6.6",        "fig. 6.7", "figs. 6.10, 6.11",
    "figs. 6.14, 6.15"};

Grid make_grid(const Family &family, const Context &context, const Assumptions &assumptions) {
    std::vector<Situation> situations;
    for (const int load : {40, 60, 80, 100}) {
        PaperWorkload workload = find_paper_workload(family.degree + "-" + std::to_string(load));
        workload.duration =
            static_cast<policy::Seconds>(static_cast<double>(workload.duration) * context.length);
        situations.push_back(
            {"load " + std::to_string(load) + " %", static_cast<double>(load),
             [=](std::uint64_t seed) { return utrera_workload(workload, assumptions, seed); }});
    }
    return Grid(context, situations,
                {contenders::fjt1_backfilling_malleability(assumptions),
                 contenders::fjt1_backfilling_abort(assumptions), contenders::fjt4(assumptions),
                 contenders::fcfs_backfilling_abort(assumptions)},
                5);
}

std::string execution_share(const Grid &grid) {
    const double at_low = summarise(values(grid, lowest, fjt4, long_execution)).mean;
    const double at_high = summarise(values(grid, highest, fjt4, long_execution)).mean;
    return "Under " + fjt4 + " long jobs execute for " + number(at_low) + " s at 40 % and " +
           number(at_high) + " s at 100 %.";
}

std::string expiry_at_highest(const Grid &grid) {
    return what_expiry_did(grid, highest, {malleable, aborting, rigid});
}

const std::string text_621 = "Utrera s. 6.5.2.1, ", text_622 = "Utrera s. 6.5.2.2, ";

std::vector<GridClaim> response_claims(const Family &family) {
    return {
        {{"with malleability, long jobs respond soonest at high load",
          text_621 + family.long_response, "mean response of long jobs, malleability / others",
          less_than(1), ""},
         [](const Grid &g) {
             return ratio(g, high_loads, malleable, all_but(g, {malleable}), long_response);
         },
         expiry_at_highest},
        {{"with malleability, short jobs respond soonest at high load",
          text_621 + family.short_response, "mean response of short jobs, malleability / others",
          less_than(1), ""},
         [](const Grid &g) {
             return ratio(g, high_loads, malleable, all_but(g, {malleable}), short_response);
         },
         {}},
        {{"20 to 30 % sooner than under the other policies at high load", "Utrera s. 7.2.3",
          "mean response of long jobs, malleability / others", between(0.7, 0.8), "", true},
         [](const Grid &g) {
             return ratio(g, high_loads, malleable, all_but(g, {malleable}), long_response);
         },
         {}},
        {{"up to 25 % sooner than traditional backfilling at high load", "Utrera s. 6.1",
          "mean response of long jobs, malleability / FJT (1) + backf (abort)", between(0.75, 0.99),
          "by a hundredth at least", true},
         [](const Grid &g) { return ratio(g, high_loads, malleable, {aborting}, long_response); },
         {}},
        {{"FJT (4) degrades as the load grows: long jobs", text_621 + family.long_response,
          "mean response of long jobs, FJT (4) / malleability, at 100 %", more_than(1), ""},
         [](const Grid &g) { return ratio(g, {highest}, fjt4, {malleable}, long_response); },
         execution_share},
        {{"FJT (4) degrades as the load grows: short jobs", text_621 + family.short_response,
          "mean response of short jobs, FJT (4) / malleability, at 100 %", more_than(1), ""},
         [](const Grid &g) { return ratio(g, {highest}, fjt4, {malleable}, short_response); },
         {}},
    };
}

std::vector<GridClaim> wait_claims(const Family &family) {
    return {
        {{"with malleability the wait does not grow with the load", text_622 + family.waits,
          "mean wait at 100 % less that at 40 % (s)", at_most(20),
          "'constant' on an axis of 350 s: within 20 s"},
         [](const Grid &g) {
             auto all = difference_of_situations(g, highest, lowest, {malleable}, long_wait);
             all[0].where = "long jobs";
             all.push_back(
                 difference_of_situations(g, highest, lowest, {malleable}, short_wait)[0]);
             all[1].where = "short jobs";
             return all;
         },
         {}},
        {{"under every other policy the wait of long jobs grows with the load",
          text_622 + family.waits, "mean wait of long jobs at 100 % less that at 40 % (s)",
          more_than(0), ""},
         [](const Grid &g) {
             return difference_of_situations(g, highest, lowest, all_but(g, {malleable}),
                                             long_wait);
         },
         {}},
        {{"under every other policy the wait of short jobs grows with the load",
          text_622 + family.waits, "mean wait of short jobs at 100 % less that at 40 % (s)",
          more_than(0), ""},
         [](const Grid &g) {
             return difference_of_situations(g, highest, lowest, all_but(g, {malleable}),
                                             short_wait);
         },
         {}},
        {{"FJT (4) lets long jobs wait least at low load", text_622 + family.waits,
          "mean wait of long jobs, FJT (4) less others (s)", less_than(0), ""},
         [](const Grid &g) { return difference(g, {lowest}, fjt4, all_but(g, {fjt4}), long_wait); },
         {}},
    };
}

std::vector<GridClaim> execution_claims(const Family &family) {
    return {
        {{"the execution time of long jobs grows under FJT (4) as the load does",
          text_622 + family.executions, "mean execution of long jobs, at 100 % / at 40 %",
          more_than(1), ""},
         [](const Grid &g) {
             return ratio_of_situations(g, highest, lowest, {fjt4}, long_execution);
         },
         execution_share},
        {{"folding expired jobs makes short jobs execute longer than aborting them does",
          text_622 + family.executions,
          "mean execution of short jobs, malleability / abort, at 100 %", more_than(1), ""},
         [](const Grid &g) { return ratio(g, {highest}, malleable, {aborting}, short_execution); },
         {}},
        {{"the gain over aborting comes from shorter waits", "Utrera s. 6.5.2.2 (conclusion)",
          "mean wait of short jobs, malleability less abort (s)", less_than(0), ""},
         [](const Grid &g) { return difference(g, high_loads, malleable, {aborting}, short_wait); },
         expiry_at_highest},
    };
}

std::vector<GridClaim> claims_of_high() {
    return {
        {{"FJT (4) lets long jobs respond soonest at low load", text_621 + "fig. 6.4",
          "mean response of long jobs, FJT (4) / others", less_than(1), ""},
         [](const Grid &g) { return ratio(g, {lowest}, fjt4, all_but(g, {fjt4}), long_response); },
         {}},
        {{"short jobs respond alike under every policy at low load", text_621 + "fig. 6.5",
          "mean response of short jobs, others / malleability", between(0.8, 1.25),
          "'similar': within a quarter"},
         [](const Grid &g) {
             std::vector<Measurement> all;
             for (const std::string &other : all_but(g, {malleable})) {
                 all.push_back(ratio(g, {lowest}, other, {malleable}, short_response)[0]);
                 all.back().where = other;
             }
             return all;
         },
         {}},
        {{"at high load FJT (4) degrades more than FJT (1) + backf (abort)", text_621 + "fig. 6.4",
          "mean response of long jobs, FJT (4) / abort, at 100 %", more_than(1), ""},
         [](const Grid &g) { return ratio(g, {highest}, fjt4, {aborting}, long_response); },
         {}},
        {{"the difference is greater for short jobs", text_621 + "fig. 6.5",
          "FJT (4) / abort at 100 %, of short jobs' mean response less of long jobs'", more_than(0),
          ""},
         [](const Grid &g) {
             auto of_short = ratio(g, {highest}, fjt4, {aborting}, short_response);
             const auto of_long = ratio(g, {highest}, fjt4, {aborting}, long_response);
             for (std::size_t i = 0; i < of_short[0].values.size(); i++)
                 of_short[0].values[i] -= of_long[0].values[i];
             return of_short;
         },
         {}},
    };
}

std::vector<GridClaim> claims_of_low() {
    const auto alike = [](const Quantity &quantity) {
        return [quantity](const Grid &g) {
            std::vector<Measurement> all;
            for (const std::string &other : all_but(g, {malleable})) {
                all.push_back(ratio(g, {lowest}, other, {malleable}, quantity)[0]);
                all.back().where = other;
            }
            return all;
        };
    };
    return {
        {{"the axis of the figure ends at 450 s, with a mark every 50 s", "Utrera fig. 6.6",
          "mean response of long jobs under FJT (4) at 100 % (s)", between(400, 450),
          "the policy that degrades dramatically has the tallest curve"},
         [](const Grid &g) {
             return std::vector<Measurement>{{"", values(g, highest, fjt4, long_response)}};
         },
         {}},
        {{"long jobs respond alike under every policy at low load", text_621 + "fig. 6.6",
          "mean response of long jobs, others / malleability", between(0.8, 1.25),
          "'similar': within a quarter"},
         alike(long_response),
         {}},
        {{"short jobs respond alike under every policy at low load", text_621 + "fig. 6.7",
          "mean response of short jobs, others / malleability", between(0.8, 1.25),
          "'similar': within a quarter"},
         alike(short_response),
         {}},
        {{"FJT (4) degrades dramatically at high load", text_621 + "fig. 6.6",
          "mean response of long jobs, FJT (4) / malleability, at 100 %", at_least(1.5),
          "'dramatically': half as much again, at least"},
         [](const Grid &g) { return ratio(g, {highest}, fjt4, {malleable}, long_response); },
         {}},
        {{"FJT (1) + backf (abort) is second at high load", text_621 + "fig. 6.6",
          "mean response of long jobs, abort / others", less_than(1), ""},
         [](const Grid &g) {
             return ratio(g, high_loads, aborting, {fjt4, rigid}, long_response);
         },
         {}},
    };
}

std::vector<Variation> variations(const Family &family) {
    std::vector<Variation> all = common_variations();
    for (Variation &variation : backfilling_variations())
        all.push_back(std::move(variation));
    if (family.degree == "low") {
        all.push_back({"EP runs on any number of processes",
                       [](Assumptions &a) { a.ep_runs_on_any_number = true; }});
    } else {
        all.push_back(
            {"LU.W in place of BT.W", [](Assumptions &a) { a.short_application = "LU.W"; }});
    }
    return all;
}

Results run(const Family &family, const Context &context) {
    std::vector<GridClaim> claims = family.degree == "high" ? claims_of_high() : claims_of_low();
    for (const auto &common :
         {response_claims(family), wait_claims(family), execution_claims(family)})
        claims.insert(claims.end(), common.begin(), common.end());
    Results results;
    const auto show = [&](const Grid &grid) {
        const std::string x = "load (%)", what = " times, " + family.degree + " communication";
        results.tables = {means_table(grid, "Means over jobs and seeds; times in seconds.")};
        results.charts = {
            curves(grid, family.name + "-response", "Response" + what, x, long_response,
                   short_response),
            curves(grid, family.name + "-wait", "Wait" + what, x, long_wait, short_wait),
            curves(grid, family.name + "-execution", "Execution" + what, x, long_execution,
                   short_execution)};
    };
    results.findings = measure(
        context, claims, variations(family),
        [&](const Context &c, const Assumptions &a) { return make_grid(family, c, a); }, show);
    return results;
}

Experiment experiment_of(const Family &family, const std::string &assumption) {
    auto assumptions = utrera_assumptions("five workloads of 900 s");
    assumptions.push_back(assumption);
    return {family.name, "Utrera's thesis, figures " + family.figures,
            "FJT (4), FJT (1) with backfilling that aborts or folds expired jobs, and rigid FCFS "
            "with backfilling, on 60 processors at loads of 40 to 100 %, of which 20 % are short "
            "jobs; " +
                family.degree + " communication degree (table 6." +
                (family.degree == "high" ? "1" : "2") + ").",
            assumptions, [family](Context &context) { return run(family, context); }};
}

} // namespace

Experiment utrera6_high() {
    return experiment_of(high_communication,
                         "bt.W is not in table 3.2: it runs as LU.W does, on square numbers of "
                         "processes (varied below).");
}

Experiment utrera6_low() {
    return experiment_of(low_communication,
                         "ep.C is not in table 3.2: four times EP.B, as the NAS benchmarks' "
                         "problem sizes are.");
}

} // namespace vmall::sim::reproduce
