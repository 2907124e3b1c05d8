// SPDX-License-Identifier: GPL-2.0-or-later
//
// Utrera, Corbalan and Labarta, Another approach to backfilled jobs: applying virtual malleability
// to expired windows (ICS'05); figures 3 to 6 and the unnumbered one of s. 6.4.4.
#include "experiments/reproduce/experiments.hpp"
#include "experiments/reproduce/grid_claims.hpp"

namespace vmall::sim::reproduce {

namespace {

using namespace quantities;

const std::string fifo = "FIFO", fjt4 = "FJT4", fjt4_abort = "FJT4+BFA", abort_ = "FJT1+BFA",
                  bfm = "FJT1+BFM";
const Names high_loads = {"load 80 %", "load 100 %"};
const Names every_load = {"load 40 %", "load 60 %", "load 80 %", "load 100 %"};
const std::string lowest = "load 40 %", highest = "load 100 %";
const std::string title = "ics05-fig-3-6";

Contender named(Contender contender, const std::string &name) {
    contender.name = name;
    return contender;
}

Grid make_grid(const Context &context, const Assumptions &assumptions) {
    std::vector<Situation> situations;
    for (const int load : {40, 60, 80, 100}) {
        PaperWorkload workload = find_paper_workload("high-" + std::to_string(load));
        workload.applications = {"BT.A", "CG.B", "LU.W", "Sweep3D"};
        workload.duration = static_cast<policy::Seconds>(600 * context.length);
        situations.push_back(
            {"load " + std::to_string(load) + " %", static_cast<double>(load),
             [=](std::uint64_t seed) { return utrera_workload(workload, assumptions, seed); }});
    }
    return Grid(context, situations,
                {contenders::fifo(), named(contenders::fjt4(assumptions), fjt4),
                 named(contenders::fjt4_backfilling_abort(assumptions), fjt4_abort),
                 named(contenders::fjt1_backfilling_abort(assumptions), abort_),
                 named(contenders::fjt1_backfilling_malleability(assumptions), bfm)},
                5);
}

std::string expiry_at_highest(const Grid &grid) {
    return what_expiry_did(grid, highest, {bfm, abort_, fjt4_abort});
}

std::vector<GridClaim> response_claims() {
    const std::string source = "ICS'05 s. 6.4.1, fig. 3";
    return {
        {{"BFM lets long jobs respond 20 to 30 % sooner than BFA at high load", source + "a",
          "mean response of long jobs, FJT1+BFM / FJT1+BFA", between(0.7, 0.8), "", true},
         [](const Grid &g) { return ratio(g, high_loads, bfm, {abort_}, long_response); },
         expiry_at_highest},
        {{"BFM lets short jobs respond 5 to 10 % sooner than BFA at high load", source + "b",
          "mean response of short jobs, FJT1+BFM / FJT1+BFA", between(0.9, 0.95), "", true},
         [](const Grid &g) { return ratio(g, high_loads, bfm, {abort_}, short_response); },
         {}},
        {{"BFM is the best of all for long jobs at high load", source + "a",
          "mean response of long jobs, FJT1+BFM / others", less_than(1), ""},
         [](const Grid &g) { return ratio(g, high_loads, bfm, all_but(g, {bfm}), long_response); },
         {}},
        {{"BFM is the best of all for short jobs at high load", source + "b",
          "mean response of short jobs, FJT1+BFM / others", less_than(1), ""},
         [](const Grid &g) { return ratio(g, high_loads, bfm, all_but(g, {bfm}), short_response); },
         {}},
    };
}

std::vector<GridClaim> execution_claims() {
    const std::string source = "ICS'05 s. 6.4.2, fig. 4";
    return {
        {{"short jobs execute longer under BFM than under BFA, for they are folded", source + "b",
          "mean execution of short jobs, FJT1+BFM / FJT1+BFA", more_than(1), ""},
         [](const Grid &g) { return ratio(g, high_loads, bfm, {abort_}, short_execution); },
         {}},
        {{"the more load, the more so", source + "b",
          "mean execution of short jobs, FJT1+BFM less FJT1+BFA (s), at 100 % less at 40 %",
          more_than(0), ""},
         [](const Grid &g) {
             auto high = difference(g, {highest}, bfm, {abort_}, short_execution);
             const auto low = difference(g, {lowest}, bfm, {abort_}, short_execution);
             for (std::size_t i = 0; i < high[0].values.size(); i++)
                 high[0].values[i] -= low[0].values[i];
             high[0].where.clear();
             return high;
         },
         {}},
        {{"long jobs execute longer under FJT4, with and without backfilling", source + "a",
          "mean execution of long jobs, FJT4 and FJT4+BFA / FJT1+BFA", more_than(1), ""},
         [](const Grid &g) {
             return both(ratio(g, high_loads, fjt4, {abort_}, long_execution), fjt4,
                         ratio(g, high_loads, fjt4_abort, {abort_}, long_execution), fjt4_abort);
         },
         {}},
    };
}

std::vector<GridClaim> wait_claims() {
    return {
        {{"waits under BFM are dramatically shorter than under all others: long jobs",
          "ICS'05 s. 6.4.2, fig. 5", "mean wait of long jobs, FJT1+BFM less half of others (s)",
          at_most(0), "'dramatically': half at most"},
         [](const Grid &g) {
             return excess(g, high_loads, bfm, 0.5, all_but(g, {bfm}), long_wait);
         },
         {}},
        {{"waits under BFM are dramatically shorter than under all others: short jobs",
          "ICS'05 s. 6.4.2, fig. 5", "mean wait of short jobs, FJT1+BFM less half of others (s)",
          at_most(0), "'dramatically': half at most"},
         [](const Grid &g) {
             return excess(g, high_loads, bfm, 0.5, all_but(g, {bfm}), short_wait);
         },
         {}},
        {{"the standard deviation of waits is near zero under BFM", "ICS'05 s. 6.4.3, fig. 6",
          "standard deviation of waits, FJT1+BFM less a tenth of FIFO's (s)", at_most(0),
          "'near zero': a tenth of FIFO's at most", true},
         [](const Grid &g) {
             return both(excess(g, every_load, bfm, 0.1, {fifo}, long_wait_deviation), "long jobs",
                         excess(g, every_load, bfm, 0.1, {fifo}, short_wait_deviation),
                         "short jobs");
         },
         {}},
        {{"it is higher under the others: long jobs", "ICS'05 s. 6.4.3, fig. 6a",
          "standard deviation of long jobs' waits, FJT1+BFM less others (s)", less_than(0), ""},
         [](const Grid &g) {
             return difference(g, high_loads, bfm, all_but(g, {bfm}), long_wait_deviation);
         },
         {}},
        {{"it is higher under the others: short jobs", "ICS'05 s. 6.4.3, fig. 6b",
          "standard deviation of short jobs' waits, FJT1+BFM less others (s)", less_than(0), ""},
         [](const Grid &g) {
             return difference(g, high_loads, bfm, all_but(g, {bfm}), short_wait_deviation);
         },
         {}},
        {{"it grows with the load under the others", "ICS'05 s. 6.4.3, fig. 6",
          "standard deviation of waits at 100 % less that at 40 % (s)", more_than(0), ""},
         [](const Grid &g) {
             const Names others = all_but(g, {bfm});
             return both(difference_of_situations(g, highest, lowest, others, long_wait_deviation),
                         "long jobs",
                         difference_of_situations(g, highest, lowest, others, short_wait_deviation),
                         "short jobs");
         },
         {}},
    };
}

std::vector<GridClaim> processor_claims() {
    const std::string source = "ICS'05 s. 6.4.4";
    return {
        {{"FJT4, with and without backfilling, gives long jobs the most processors at low load",
          source, "mean processors of long jobs, FJT4 and FJT4+BFA / FJT1", more_than(1),
          "of the policies that choose sizes; FIFO always gives the most"},
         [](const Grid &g) {
             return both(ratio(g, {lowest}, fjt4, {abort_, bfm}, long_processors), fjt4,
                         ratio(g, {lowest}, fjt4_abort, {abort_, bfm}, long_processors),
                         fjt4_abort);
         },
         {}},
        {{"BFM gives long jobs the fewest processors at high load", source,
          "mean processors of long jobs, FJT1+BFM / others", less_than(1), ""},
         [](const Grid &g) { return ratio(g, {highest}, bfm, all_but(g, {bfm}), long_processors); },
         {}},
        {{"the work of backfilled jobs is thrown away under BFA, and not under BFM",
          "ICS'05 s. 6.4.2",
          "core time of short jobs thrown away, FJT1+BFA less FJT1+BFM (part of 1)", more_than(0),
          ""},
         [](const Grid &g) {
             const Quantity wasted{"", &Means::short_jobs, &ClassMeans::wasted};
             return difference(g, high_loads, abort_, {bfm}, wasted);
         },
         expiry_at_highest},
    };
}

Results run(const Context &context) {
    std::vector<GridClaim> claims;
    for (const auto &some :
         {response_claims(), execution_claims(), wait_claims(), processor_claims()})
        claims.insert(claims.end(), some.begin(), some.end());
    Results results;
    const auto show = [&](const Grid &grid) {
        const std::string x = "load (%)";
        results.tables = {means_table(grid, "Means over jobs and seeds; times in seconds.")};
        results.charts = {
            curves(grid, "ics05-fig-3", "Response times", x, long_response, short_response),
            curves(grid, "ics05-fig-4", "Execution times", x, long_execution, short_execution),
            curves(grid, "ics05-fig-5", "Waits", x, long_wait, short_wait),
            curves(grid, "ics05-fig-6", "Standard deviation of waits", x, long_wait_deviation,
                   short_wait_deviation),
            curves(grid, "ics05-processors", "Processors", x, long_processors, short_processors)};
    };
    std::vector<Variation> variations = common_variations();
    for (Variation &variation : backfilling_variations())
        variations.push_back(std::move(variation));
    results.findings = measure(context, claims, variations, make_grid, show);
    return results;
}

} // namespace

Experiment ics05() {
    return {title, "ICS'05, figures 3 to 6 and s. 6.4.4",
            "FIFO, FJT (4) with and without aggressive backfilling (BFA), and FJT (1) with "
            "aggressive backfilling or backfilling with malleability (BFM), on 60 processors at "
            "loads of 40 to 100 %, of which 20 % are short jobs.",
            utrera_assumptions("five workloads of 600 s"), run};
}

} // namespace vmall::sim::reproduce
