// SPDX-License-Identifier: GPL-2.0-or-later
//
// Workloads with what is assumed of them, policies by s. 5.4.1 and 6.5.1 of the thesis.
#include "experiments/reproduce/utrera.hpp"

#include "experiments/policy/sizings.hpp"
#include "sim/trace/burst.hpp"

namespace vmall::sim::reproduce {

namespace {

constexpr auto is_long = policy::JobClass::long_job;

GeneratorSpec spec_for(const Assumptions &assumptions) {
    GeneratorSpec spec;
    spec.processors = assumptions.processors;
    spec.estimates = EstimateFactors{1, assumptions.estimate_factor};
    return spec;
}

policy::Settings fjt(int max_mpl, const Assumptions &assumptions) {
    policy::Settings settings;
    settings.sizing = assumptions.fjt;
    settings.max_mpl = max_mpl;
    settings.queue_discipline = "fcfs";
    return settings;
}

policy::Settings backfilling(policy::Settings settings, policy::WindowPolicy window,
                             const Assumptions &assumptions) {
    settings.queue_discipline = "easy";
    settings.window_policy = window;
    settings.window_rule = assumptions.window_rule;
    return settings;
}

policy::Settings unfolded(policy::Sizing sizing) {
    policy::Settings settings;
    settings.sizing = sizing;
    settings.queue_discipline = "fcfs";
    return settings;
}

} // namespace

std::vector<Variation> common_variations() {
    return {
        {other_variant, [](Assumptions &a) { a.fjt = policy::papers::fjt_prose; }},
        {"folding costs 3, 7, 10 % at MPL 2, 3, 4",
         [](Assumptions &a) {
             a.folding_cost.by_mpl = {1, 1.03, 1.07, 1.1};
         }},
        {"folding costs 50 %",
         [](Assumptions &a) {
             a.folding_cost.by_mpl = {1, 1.5, 1.5, 1.5};
         }},
        {"long jobs accept any small number of processes",
         [](Assumptions &a) { a.smallest_long = 1; }},
        {"long jobs accept no fewer than 4 processes", [](Assumptions &a) { a.smallest_long = 4; }},
        {"long jobs accept no fewer than 16 processes",
         [](Assumptions &a) { a.smallest_long = 16; }},
    };
}

std::vector<Variation> backfilling_variations() {
    return {
        {"users' estimates are up to five times too long",
         [](Assumptions &a) { a.estimate_factor = 5; }},
        {"windows also expire when the head's reserved start has come",
         [](Assumptions &a) { a.window_rule = policy::WindowRule::either; }},
    };
}

std::vector<Variation> moldability_variations() {
    return {
        {"64 processors", [](Assumptions &a) { a.processors = 64; }},
        {"time sharing costs 50 %",
         [](Assumptions &a) {
             a.time_sharing_cost.by_mpl = {1, 1.5, 1.5, 1.5};
         }},
    };
}

std::vector<std::string> utrera_assumptions(const std::string &workloads) {
    return {
        "Each seed stands for " + workloads + ", whose jobs are averaged together.",
        "BT runs on square numbers of processes up to 49, CG and LU on powers of two up to 32 (EP "
        "too), Sweep3D on any number up to 60.",
        "Jobs run as fast as table 3.2 says; where a job is folded, as fast as unfolded with as "
        "many processes as it has processors (in table 4.3 it is no slower); varied below.",
        "Long jobs accept 8 processes or more. The thesis lets them choose from 1 on (s. 3.6.1), "
        "and "
        "says that long jobs should not be given few (s. 6.4.2, figure 6.2); with 8 the tallest "
        "curve of figure 6.6 ends where that figure's axis does. Varied below.",
        "An aborted job starts anew, and what it had run counts as wait. Estimates are exact for "
        "the "
        "most processes that a job accepts, so one that starts with fewer outlasts its own; they "
        "play next to no part, for a window expires when all running jobs are out of order.",
    };
}

Application utrera_application(const std::string &name, const Assumptions &assumptions) {
    Application application = find_application(paper_applications(), name);
    if (assumptions.ep_runs_on_any_number && (name == "EP.B" || name == "EP.C"))
        application.sizes = SizeRule("any");
    return application.job_class == is_long
               ? with_smallest_size(application, assumptions.smallest_long)
               : application;
}

Workload utrera_workload(const PaperWorkload &workload, const Assumptions &assumptions,
                         std::uint64_t seed) {
    std::vector<Application> chosen;
    for (const std::string &name : workload.applications) {
        chosen.push_back(
            utrera_application(name == "BT.W" ? assumptions.short_application : name, assumptions));
    }
    GeneratorSpec spec = spec_for(assumptions);
    spec.applications = equal_shares(chosen, workload.long_load, workload.short_load);
    spec.duration = workload.duration;
    return generate(spec, seed);
}

Workload utrera_burst(int jobs, const Assumptions &assumptions, std::uint64_t seed) {
    GeneratorSpec spec = spec_for(assumptions);
    for (const std::string &name : find_paper_workload("burst-3").applications)
        spec.applications.push_back({utrera_application(name, assumptions), 1});
    spec.jobs = jobs;
    return generate_burst(spec, jobs * assumptions.long_jobs_of_three / 3, seed);
}

namespace contenders {

Contender fifo() {
    return {"FIFO", unfolded("rigid"), {}, true};
}

Contender fcfs_backfilling_abort(const Assumptions &assumptions) {
    return {
        "FCFS + backf (abort)", backfilling(unfolded("rigid"), "requeue", assumptions), {}, true};
}

Contender fjt4(const Assumptions &assumptions) {
    return {"FJT (4)", fjt(4, assumptions), assumptions.folding_cost};
}

Contender fjt4_backfilling_abort(const Assumptions &assumptions) {
    return {"FJT (4) + backf (abort)", backfilling(fjt(4, assumptions), "requeue", assumptions),
            assumptions.folding_cost};
}

Contender fjt1_backfilling_abort(const Assumptions &assumptions) {
    return {"FJT (1) + backf (abort)", backfilling(fjt(1, assumptions), "requeue", assumptions),
            assumptions.folding_cost};
}

Contender fjt1_backfilling_malleability(const Assumptions &assumptions) {
    return {"FJT (1) + backf (malleability)",
            backfilling(fjt(1, assumptions), "shrink", assumptions), assumptions.folding_cost};
}

Contender psa() {
    return {"PSA", unfolded("psa"), {}};
}

Contender asp60() {
    return {"ASP60", unfolded(policy::papers::asp60), {}};
}

Contender folding(const Assumptions &assumptions, int max_mpl) {
    policy::Settings settings = unfolded("folding");
    settings.max_mpl = max_mpl;
    return {"FOLDING", settings, assumptions.time_sharing_cost};
}

} // namespace contenders

} // namespace vmall::sim::reproduce
