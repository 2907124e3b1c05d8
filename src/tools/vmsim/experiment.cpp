// SPDX-License-Identifier: GPL-2.0-or-later
//
// Several policies on several workloads, side by side.
#include "tools/vmsim/experiment.hpp"

#include "sim/engine/in_parallel.hpp"
#include "tools/vmsim/results.hpp"

namespace vmall::vmsim {

namespace {

Result run(const Experiment &experiment, std::size_t number, sim::Progress &progress) {
    const std::size_t workload_number = number % experiment.workloads.size();
    const auto &workload = experiment.workloads[workload_number];
    const auto &policy = experiment.policies[number / experiment.workloads.size()];
    Result result;
    result.directory = policy.directory;
    if (experiment.workloads.size() > 1) {
        result.directory += '/' + std::to_string(workload_number + 1);
    }
    try {
        const auto outcome =
            policy.play(workload, experiment.machine, experiment.options, progress);
        result.summary = sim::summarise(outcome, experiment.summary);
        result.summary.policy = policy.name;
        result.summary.workload = workload.source;
        result.summary.unix_start = workload.unix_start;
        write_result(experiment.directory / result.directory, outcome, result.summary,
                     experiment.summary, experiment.options.record_allotments);
        result.finished = true;
    } catch (const sim::Stopped &) {
    }
    return result;
}

} // namespace

std::size_t Experiment::jobs() const {
    std::size_t sum = 0;
    for (const auto &workload : workloads) {
        sum += workload.jobs.size() * policies.size();
    }
    return sum;
}

std::vector<Result> carry_out(const Experiment &experiment, sim::Progress &progress) {
    std::vector<Result> results(experiment.runs());
    try {
        sim::in_parallel(experiment.threads, progress, results.size(), [&](std::size_t number) {
            results[number] = run(experiment, number, progress);
        });
    } catch (const sim::Stopped &) { // before some were begun
    }
    return results;
}

} // namespace vmall::vmsim
