// SPDX-License-Identifier: GPL-2.0-or-later
//
// One run of a workload of Corbalan's thesis ch. 6.
#include "experiments/reproduce/corbalan6_run.hpp"

#include <algorithm>
#include <stdexcept>

namespace vmall::sim::reproduce::corbalan6 {

namespace {

double seconds(Milliseconds time) {
    return static_cast<double>(time) / 1000;
}

void add(Application &sum, const JobOutcome &job) {
    const double cpu = static_cast<double>(job.core_milliseconds) / 1000;
    const double execution = seconds(job.ended - job.started);
    const double mean_processors = cpu / execution;
    sum.fewest = sum.jobs == 0 ? mean_processors : std::min(sum.fewest, mean_processors);
    sum.jobs++;
    sum.response += seconds(job.ended - job.job->submit);
    sum.execution += execution;
    sum.cpu += cpu;
}

void divide_by_jobs(Application &sum) {
    sum.processors = sum.cpu / sum.execution;
    sum.response /= sum.jobs;
    sum.execution /= sum.jobs;
    sum.cpu /= sum.jobs;
}

double most_at_a_time(const Outcome &outcome) {
    std::vector<std::pair<Milliseconds, int>> changes; // an end before a start of the same time
    for (const JobOutcome &job : outcome.jobs) {
        changes.emplace_back(job.started, 1);
        changes.emplace_back(job.ended, -1);
    }
    std::sort(changes.begin(), changes.end());
    int now = 0;
    int most = 0;
    for (const auto &[time, change] : changes) {
        now += change;
        most = std::max(most, now);
    }
    return most;
}

Numbers numbers_of(const Outcome &outcome) {
    Numbers numbers;
    Milliseconds last = 0;
    for (const JobOutcome &job : outcome.jobs) {
        if (job.end != End::completed)
            throw std::logic_error("job " + std::to_string(job.job->id) + " was not completed");
        add(numbers.of[job.job->application], job);
        last = std::max(last, job.ended);
        numbers.resizes += job.folds + job.unfolds;
        numbers.cpu += static_cast<double>(job.core_milliseconds) / 1000;
    }
    for (auto &[name, application] : numbers.of)
        divide_by_jobs(application);
    numbers.resizes /= static_cast<double>(outcome.jobs.size());
    numbers.makespan = seconds(last - outcome.jobs.front().job->submit);
    numbers.utilisation = numbers.cpu / (outcome.cores * numbers.makespan);
    numbers.level = most_at_a_time(outcome);
    return numbers;
}

} // namespace

Numbers play(const Workload &workload, const char *discipline, int level,
             const Assumption &assumption, std::uint64_t seed, Progress &progress) {
    Options options;
    options.policy.queue_discipline = discipline;
    options.policy.sharing.default_level = level;
    options.policy.sharing.step = assumption.step;
    options.policy.sharing.one_processor = assumption.one_processor;
    options.measuring = assumption.measuring;
    options.measuring.seed = seed;
    options.resize_cost = assumption.resize_cost;
    return numbers_of(simulate(workload, {{processors}}, options, progress));
}

} // namespace vmall::sim::reproduce::corbalan6
