// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random jobs that arrive together.
#include "sim/trace/burst.hpp"

#include <stdexcept>
#include <utility>

namespace vmall::sim {

namespace {

// A whole number from 0 to `count` less one.
std::size_t drawn_below(std::size_t count, Random &random) {
    return static_cast<std::size_t>(random.uniform() * static_cast<double>(count));
}

std::vector<Application> of_class(const GeneratorSpec &spec, policy::JobClass job_class) {
    std::vector<Application> applications;
    for (const ApplicationLoad &share : spec.applications)
        if (share.application.job_class == job_class)
            applications.push_back(share.application);
    return applications;
}

std::vector<Application> drawn_applications(const GeneratorSpec &spec, int long_jobs,
                                            Random &random) {
    const auto long_ones = of_class(spec, policy::JobClass::long_job);
    const auto short_ones = of_class(spec, policy::JobClass::short_job);
    std::vector<Application> drawn;
    for (int i = 0; i < spec.jobs; ++i) {
        const auto &choice = i < long_jobs ? long_ones : short_ones;
        if (choice.empty())
            throw std::invalid_argument("there is no application for some jobs of the burst");
        drawn.push_back(choice[drawn_below(choice.size(), random)]);
    }
    for (std::size_t left = drawn.size(); left > 1; --left)
        std::swap(drawn[left - 1], drawn[drawn_below(left, random)]);
    return drawn;
}

} // namespace

Workload generate_burst(const GeneratorSpec &spec, int long_jobs, std::uint64_t seed) {
    Random random(seed);
    Workload workload;
    workload.source = "generated: " + std::to_string(spec.processors) + " processors, a burst of " +
                      std::to_string(spec.jobs) + " jobs, seed " + std::to_string(seed);
    workload.processors = spec.processors;
    for (const Application &application : drawn_applications(spec, long_jobs, random)) {
        GeneratorSpec of_job = spec;
        of_job.applications = {{application, 1}};
        of_job.jobs = 1;
        of_job.duration = 0;
        Job job = *Generator(of_job, random.bits()).next();
        job.id = static_cast<std::uint32_t>(workload.jobs.size() + 1);
        job.submit = 0;
        workload.jobs.push_back(std::move(job));
    }
    return workload;
}

} // namespace vmall::sim
