// SPDX-License-Identifier: GPL-2.0-or-later
//
// Several policies on several workloads, side by side.
#include "tools/vmsim/batch.hpp"

#include "sim/engine/in_parallel.hpp"
#include "tools/vmsim/results.hpp"

namespace vmall::vmsim {

namespace {

Result run(const Batch &batch, std::size_t number, sim::Progress &progress) {
    const std::size_t workload_number = number % batch.workloads.size();
    const auto &workload = batch.workloads[workload_number];
    const auto &policy = batch.policies[number / batch.workloads.size()];
    Result result;
    result.directory = policy.directory;
    if (batch.workloads.size() > 1)
        result.directory += '/' + std::to_string(workload_number + 1);
    try {
        const auto outcome = policy.play(workload, batch.machine, batch.options, progress);
        result.summary = sim::summarise(outcome, batch.summary);
        result.summary.policy = policy.name;
        result.summary.workload = workload.source;
        result.summary.unix_start = workload.unix_start;
        write_result(batch.directory / result.directory, outcome, result.summary, batch.summary,
                     batch.options.record_allotments);
        result.finished = true;
    } catch (const sim::Stopped &) {
    }
    return result;
}

} // namespace

std::size_t Batch::jobs() const {
    std::size_t sum = 0;
    for (const auto &workload : workloads)
        sum += workload.jobs.size() * policies.size();
    return sum;
}

std::vector<Result> carry_out(const Batch &batch, sim::Progress &progress) {
    std::vector<Result> results(batch.runs());
    try {
        sim::in_parallel(
            batch.threads, progress, results.size(),
            [&](std::size_t number) { results[number] = run(batch, number, progress); });
    } catch (const sim::Stopped &) { // before some were begun
    }
    return results;
}

} // namespace vmall::vmsim
