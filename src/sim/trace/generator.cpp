// SPDX-License-Identifier: GPL-2.0-or-later
//
// Poisson arrivals of known applications.
#include "sim/trace/generator.hpp"

#include "sim/trace/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace vmall::sim {

namespace {

constexpr double microseconds = 1e6; // in a second

void require(bool condition, const std::string &what) {
    if (!condition)
        throw std::invalid_argument(what);
}

void check(const EstimateFactors &estimates) {
    require(estimates.lowest >= 0.001 && estimates.highest <= 1e6,
            "factors of the estimates are from 0.001 to a million");
    require(estimates.lowest <= estimates.highest,
            "the lowest factor of the estimates is above the highest");
}

void check(const GeneratorSpec &spec) {
    require(spec.processors >= 1, "the machine needs at least one processor");
    require(!spec.applications.empty(), "there is no application to generate jobs of");
    require(spec.jobs >= 0 && spec.duration >= 0, "there are no negative limits");
    require(spec.jobs > 0 || spec.duration > 0, "neither the jobs nor the duration is limited");
    require(spec.jobs <= std::numeric_limits<std::uint32_t>::max(), "these are too many jobs");
    require(spec.burst >= 1, "a burst has at least one job");
    if (spec.estimates)
        check(*spec.estimates);
    require(spec.least_efficiency >= 0 && spec.least_efficiency <= 1,
            "the least efficiency is from 0 to 1");
    require(spec.virtually_malleable >= 0 && spec.virtually_malleable <= 1,
            "the virtually malleable part is from 0 to 1");
}

int most_asked_for(const Application &application, const GeneratorSpec &spec) {
    const policy::Sizes accepted =
        application.sizes.up_to(std::min(spec.processors, application.times.back().first));
    require(!accepted.empty(), application.name + " runs on no machine with so few processors: " +
                                   std::to_string(spec.processors));
    auto most = std::optional(accepted.largest());
    while (most && application.efficiency(*most) < spec.least_efficiency)
        most = accepted.largest_up_to(*most - 1);
    return most.value_or(accepted.smallest());
}

// All of a job but what is drawn for each.
Job prototype(const Application &application, const GeneratorSpec &spec) {
    Job job;
    job.job_class = application.job_class;
    job.sizes = application.sizes.up_to(most_asked_for(application, spec));
    job.runtime_processes = job.sizes.largest();
    job.runtime = std::llround(application.seconds(job.runtime_processes) * 1000);
    job.speedup = application.speedup;
    job.application = application.name;
    return job;
}

// Of one job, in processors × seconds.
double work_of(const Application &application, int processes, Work work) {
    return work == Work::sequential ? application.seconds(1)
                                    : application.seconds(processes) * processes;
}

policy::Seconds estimate(const GeneratorSpec &spec, Milliseconds runtime, double drawn) {
    if (!spec.estimates)
        return 0;
    const auto &[lowest, highest] = *spec.estimates;
    const double factor = lowest + drawn * (highest - lowest);
    const double milliseconds = static_cast<double>(runtime) * factor;
    return static_cast<policy::Seconds>(std::ceil(milliseconds / 1000));
}

} // namespace

std::vector<ApplicationLoad> equal_shares(const std::vector<Application> &applications,
                                          double long_load, double short_load) {
    std::vector<ApplicationLoad> shares;
    for (const auto &[job_class, load] : {std::pair(policy::JobClass::long_job, long_load),
                                          std::pair(policy::JobClass::short_job, short_load)}) {
        if (load == 0)
            continue;
        const auto count = std::count_if(
            applications.begin(), applications.end(),
            [job_class = job_class](const Application &a) { return a.job_class == job_class; });
        require(count > 0,
                std::string("there is no ") + name_of(job_class) + " application for its load");
        for (const Application &application : applications)
            if (application.job_class == job_class)
                shares.push_back({application, load / static_cast<double>(count)});
    }
    return shares;
}

Generator::Generator(GeneratorSpec spec, std::uint64_t seed)
    : spec_(std::move(spec)), seed_(seed), random_(seed) {
    check(spec_);
    for (const auto &[application, load] : spec_.applications) {
        require(load > 0 && load <= 100, application.name + ": its load is " +
                                             std::to_string(load) +
                                             " instead of above 0 and at most 100 machines");
        Kind kind;
        kind.job = prototype(application, spec_);
        kind.rate =
            spec_.processors * load / work_of(application, kind.job.runtime_processes, spec_.work);
        rate_ += kind.rate;
        kinds_.push_back(std::move(kind));
    }
}

std::optional<Job> Generator::next() {
    if (spec_.jobs > 0 && made_ == spec_.jobs)
        return std::nullopt;
    const double pause = random_.exponential(); // drawn for every job, used once in a burst
    if (made_ % spec_.burst == 0)
        clock_ += std::llround(pause * (spec_.burst / rate_ * microseconds));
    const Milliseconds second = 1000;
    const auto now = static_cast<policy::Seconds>(clock_ / static_cast<std::int64_t>(microseconds));
    if (spec_.duration > 0 && now > spec_.duration)
        return std::nullopt;
    double drawn = random_.uniform() * rate_;
    const auto last = std::prev(kinds_.end());
    const auto kind =
        std::find_if(kinds_.begin(), last, [&](const Kind &k) { return (drawn -= k.rate) < 0; });
    Job job = kind->job;
    job.id = static_cast<std::uint32_t>(++made_);
    job.submit = now * second;
    job.estimate = estimate(spec_, job.runtime, random_.uniform());
    job.virtually_malleable = random_.uniform() < spec_.virtually_malleable;
    if (!job.virtually_malleable)
        job.sizes = {job.sizes.largest()};
    return job;
}

std::string Generator::source() const {
    double load = 0;
    for (const ApplicationLoad &application : spec_.applications)
        load += application.load;
    return "generated: " + std::to_string(spec_.processors) + " processors, load " +
           seconds_text(std::llround(load * 1000)) + ", seed " + std::to_string(seed_);
}

Workload generate(const GeneratorSpec &spec, std::uint64_t seed) {
    Generator generator(spec, seed);
    Workload workload;
    workload.source = generator.source();
    workload.processors = spec.processors;
    while (std::optional<Job> job = generator.next())
        workload.jobs.push_back(std::move(*job));
    return workload;
}

} // namespace vmall::sim
