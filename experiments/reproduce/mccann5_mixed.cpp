// SPDX-License-Identifier: GPL-2.0-or-later
//
// The simulations of McCann's thesis, s. 5.4.
#include "experiments/reproduce/mccann5_mixed.hpp"

#include "experiments/mesh/sim/mixed_workload.hpp"
#include "experiments/mesh/sim/simulate.hpp"
#include "experiments/mesh/sim/static_analysis.hpp"
#include "experiments/mesh/sim/uniprogramming.hpp"
#include "experiments/reproduce/mccann5.hpp"

#include <algorithm>
#include <cmath>

namespace vmall::sim::reproduce {

namespace {

// Step times have a seed of their own: they are a property of the application.
constexpr std::uint64_t step_seed = 1;
constexpr int usual_jobs = 16; // at a time

std::vector<double> mesh_responses(const std::string &policy, MixedRun &run,
                                   const Workload &workload, Progress &progress) {
    mesh::MeshOptions options;
    options.policy = mesh::parse_choice(policy);
    options.limit = run.limit;
    options.quantum = static_cast<Milliseconds>(1000 * run.quantum);
    options.preemption_overhead = run.overhead;
    const auto model =
        mesh::make_spmd_model(run.step_times, options.policy.mapping(), run.relocation_is_free);
    std::vector<double> responses;
    for (const auto &job : mesh::simulate(workload, mccann_mesh, options, *model, progress).jobs)
        responses.push_back(static_cast<double>(job.ended - job.job->submit));
    return responses;
}

struct Sums {
    double count = 0;
    double response = 0;
    double alone = 0;

    void add(const Job &job, double time) {
        count++;
        response += time / 1000;
        alone += static_cast<double>(job.runtime) / 1000;
    }
    double mean() const { return count > 0 ? response / count : 0; }
};

Responses summarise_jobs(const Workload &workload, const std::vector<double> &times) {
    Sums short_jobs;
    Sums long_jobs;
    Sums all;
    std::vector<double> blow_ups;
    for (std::size_t i = times.size() / 10; i < times.size(); i++) {
        const Job &job = workload.jobs[i];
        const bool is_short = job.job_class == policy::JobClass::short_job;
        (is_short ? short_jobs : long_jobs).add(job, times[i]);
        all.add(job, times[i]);
        blow_ups.push_back(times[i] / static_cast<double>(job.runtime));
    }
    const Sample blow_up = summarise(blow_ups);
    return {short_jobs.mean(), long_jobs.mean(), all.mean(), all.response / all.alone,
            blow_up.deviation / blow_up.mean};
}

Responses simulate_mix(const std::string &policy, MixedRun &run, const Workload &workload,
                       Progress &progress) {
    if (policy == uniprogramming_fcfs)
        return summarise_jobs(workload, mesh::fcfs_responses(workload));
    if (policy == uniprogramming_sharing)
        return summarise_jobs(workload, mesh::processor_sharing_responses(workload));
    return summarise_jobs(workload, mesh_responses(policy, run, workload, progress));
}

Workload workload_of(MixedRun &run, std::uint64_t seed) {
    mesh::Mix mix;
    mix.short_share = run.short_share;
    mix.load = run.load;
    mix.step = run.step_times.alone();
    mix.jobs = run.jobs;
    return mesh::mixed_workload(mix, mccann_mesh.processors(), seed);
}

} // namespace

mesh::StepTimes application(double spread) {
    mesh::StepTimes step_times(mccann_mesh, policy::mesh::Environment{}, spread, step_seed);
    for (const auto &choice : mesh_policies({"equi", "equi+", "fold-inf"}))
        for (const int jobs : numbers(1, usual_jobs))
            efficiency_preservation(choice, jobs, step_times);
    return step_times;
}

ByPolicy simulate_mixes(const std::vector<std::string> &policies, const MixedRun &run,
                        const Context &context) {
    const auto by_seed = for_each_seed(context, [&](std::uint64_t seed) {
        MixedRun own = run; // step times may be added
        own.jobs = std::max(100, static_cast<int>(run.jobs * context.length));
        const Workload workload = workload_of(own, seed);
        std::vector<Responses> responses;
        for (const auto &policy : policies)
            responses.push_back(simulate_mix(policy, own, workload, context.progress));
        return responses;
    });
    ByPolicy result;
    for (std::size_t i = 0; i < policies.size(); i++)
        for (const auto &responses : by_seed)
            result[policies[i]].push_back(responses[i]);
    return result;
}

std::vector<double> values(const std::vector<Responses> &responses, double Responses::*member) {
    std::vector<double> result;
    for (const auto &one : responses)
        result.push_back(one.*member);
    return result;
}

std::vector<double> ratios(const std::vector<Responses> &of, const std::vector<Responses> &to,
                           double Responses::*member) {
    std::vector<double> result;
    for (std::size_t i = 0; i < of.size(); i++)
        result.push_back(of[i].*member / (to[i].*member));
    return result;
}

} // namespace vmall::sim::reproduce
