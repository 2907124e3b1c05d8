// SPDX-License-Identifier: GPL-2.0-or-later
//
// Workloads by equation 3.2 of the thesis, policies by its s. 5.4.1 and 6.5.1.
#include "sim/reproduce/utrera.hpp"

#include "sim/trace/random.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace vmall::sim::reproduce {

namespace {

constexpr auto is_long = policy::JobClass::long_job;

Application renamed(Application application, const std::string &name) {
    application.name = name;
    return application;
}

Application slower(Application application, double factor) {
    for (auto &[processes, seconds] : application.times) {
        seconds *= factor;
    }
    application.speedup = table_speedup(application.times);
    return application;
}

Workload adjusted(Workload workload, const Assumptions &assumptions) {
    for (Job &job : workload.jobs) {
        if (job.job_class == is_long) {
            const auto first = std::lower_bound(job.sizes.begin(), std::prev(job.sizes.end()),
                                                assumptions.smallest_long);
            job.sizes.erase(job.sizes.begin(), first);
        }
    }
    return workload;
}

GeneratorSpec spec_for(const Assumptions &assumptions) {
    GeneratorSpec spec;
    spec.processors = assumptions.processors;
    spec.estimates = EstimateFactors{1, assumptions.estimate_factor};
    return spec;
}

policy::Settings fjt(int max_mpl, const Assumptions &assumptions) {
    policy::Settings settings;
    settings.sizing = policy::Sizing::fjt;
    settings.fjt_variant = assumptions.variant;
    settings.max_mpl = max_mpl;
    settings.queue_discipline = policy::QueueDiscipline::fcfs;
    return settings;
}

policy::Settings backfilling(policy::Settings settings, policy::WindowPolicy window,
                             const Assumptions &assumptions) {
    settings.queue_discipline = policy::QueueDiscipline::aggressive;
    settings.window_policy = window;
    settings.window_rule = assumptions.window_rule;
    return settings;
}

policy::Settings unfolded(policy::Sizing sizing) {
    policy::Settings settings;
    settings.sizing = sizing;
    settings.queue_discipline = policy::QueueDiscipline::fcfs;
    return settings;
}

} // namespace

std::vector<Variation> common_variations() {
    return {
        {other_variant,
         [](Assumptions &a) {
             a.variant = a.variant == policy::FjtVariant::figure ? policy::FjtVariant::prose
                                                                 : policy::FjtVariant::figure;
         }},
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

const std::vector<UtreraMix> &utrera_mixes() {
    static const std::vector<UtreraMix> mixes = {
        {"w1", 1, 0.4, 0.1}, {"w2", 2, 0.4, 0.2}, {"w3", 3, 0.4, 0.3},
        {"w4", 4, 0.1, 0.4}, {"w5", 5, 0.2, 0.4}, {"w6", 6, 0.3, 0.4},
    };
    return mixes;
}

Application utrera_application(const std::string &name, const Assumptions &assumptions) {
    const auto &measured = thesis_applications();
    const bool is_ep = name == "EP.B" || name == "EP.C";
    const std::string like = name == "BT.W" ? "LU.W" : is_ep ? "EP.B" : name;
    Application application = renamed(find_application(measured, like), name);
    if (name == "BT.W") {
        application.sizes = SizeRule("square");
    }
    if (is_ep && assumptions.ep_runs_on_any_number) {
        application.sizes = SizeRule("any");
    }
    if (name == "EP.C") {
        application = slower(std::move(application), 4);
        application.job_class = is_long;
    }
    return application;
}

Workload utrera_workload(const std::vector<std::string> &applications, double long_load,
                         double short_load, policy::Seconds duration,
                         const Assumptions &assumptions, std::uint64_t seed) {
    std::vector<Application> chosen;
    for (const std::string &name : applications) {
        chosen.push_back(
            utrera_application(name == "BT.W" ? assumptions.short_application : name, assumptions));
    }
    GeneratorSpec spec = spec_for(assumptions);
    spec.applications = equal_shares(chosen, long_load, short_load);
    spec.duration = duration;
    return adjusted(generate(spec, seed), assumptions);
}

Workload utrera_burst(int jobs, const Assumptions &assumptions, std::uint64_t seed) {
    Random random(seed);
    const auto either = [&](const char *one, const char *other) {
        return std::string(random.uniform() < 0.5 ? one : other);
    };
    const int long_jobs = jobs * assumptions.long_jobs_of_three / 3;
    std::vector<std::string> names;
    for (int i = 0; i < jobs; i++) {
        names.push_back(i < long_jobs ? either("BT.A", "CG.B") : either("LU.W", "Sweep3D"));
    }
    for (std::size_t left = names.size(); left > 1; left--) {
        const auto chosen = static_cast<std::size_t>(random.uniform() * static_cast<double>(left));
        std::swap(names[left - 1], names[chosen]);
    }
    Workload workload;
    workload.source = "a burst";
    workload.processors = assumptions.processors;
    for (const std::string &name : names) {
        GeneratorSpec spec = spec_for(assumptions);
        spec.applications = {{utrera_application(name, assumptions), 1}};
        spec.jobs = 1;
        spec.duration = 0;
        Job job = *Generator(spec, random.bits()).next();
        job.id = static_cast<std::uint32_t>(workload.jobs.size() + 1);
        job.submit = 0;
        workload.jobs.push_back(job);
    }
    return adjusted(std::move(workload), assumptions);
}

namespace contenders {

Contender fifo() {
    return {"FIFO", unfolded(policy::Sizing::rigid), {}, true};
}

Contender fcfs_backfilling_abort(const Assumptions &assumptions) {
    return {
        "FCFS + backf (abort)",
        backfilling(unfolded(policy::Sizing::rigid), policy::WindowPolicy::requeue, assumptions),
        {},
        true};
}

Contender fjt4(const Assumptions &assumptions) {
    return {"FJT (4)", fjt(4, assumptions), assumptions.folding_cost};
}

Contender fjt4_backfilling_abort(const Assumptions &assumptions) {
    return {"FJT (4) + backf (abort)",
            backfilling(fjt(4, assumptions), policy::WindowPolicy::requeue, assumptions),
            assumptions.folding_cost};
}

Contender fjt1_backfilling_abort(const Assumptions &assumptions) {
    return {"FJT (1) + backf (abort)",
            backfilling(fjt(1, assumptions), policy::WindowPolicy::requeue, assumptions),
            assumptions.folding_cost};
}

Contender fjt1_backfilling_malleability(const Assumptions &assumptions) {
    return {"FJT (1) + backf (malleability)",
            backfilling(fjt(1, assumptions), policy::WindowPolicy::shrink, assumptions),
            assumptions.folding_cost};
}

Contender psa() {
    return {"PSA", unfolded(policy::Sizing::psa), {}};
}

Contender asp60() {
    policy::Settings settings = unfolded(policy::Sizing::asp_max);
    settings.asp_max_percent = 60;
    return {"ASP60", settings, {}};
}

Contender folding(const Assumptions &assumptions, int max_mpl) {
    policy::Settings settings = unfolded(policy::Sizing::folding);
    settings.max_mpl = max_mpl;
    return {"FOLDING", settings, assumptions.time_sharing_cost};
}

} // namespace contenders

} // namespace vmall::sim::reproduce
