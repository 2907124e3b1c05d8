// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a policy made of a workload, in numbers.
#include "sim/report/summary.hpp"

#include <algorithm>
#include <map>

namespace vmall::sim {

namespace {

constexpr double milliseconds_per_hour = 3600 * 1000;

// The values of a group until all are there.
struct Values {
    std::vector<double> wait, response, slowdown, bounded_slowdown, average_allotment;

    void add(const Measures &job) {
        wait.push_back(job.wait);
        response.push_back(job.response);
        slowdown.push_back(job.slowdown);
        bounded_slowdown.push_back(job.bounded_slowdown);
        average_allotment.push_back(job.average_allotment);
    }
};

Group described(const std::string &name, Values values) {
    return {name,
            describe(std::move(values.wait)),
            describe(std::move(values.response)),
            describe(std::move(values.slowdown)),
            describe(std::move(values.bounded_slowdown)),
            describe(std::move(values.average_allotment))};
}

std::vector<Group> described(std::map<std::string, Values> values_by_name) {
    std::vector<Group> groups;
    for (auto &[name, values] : values_by_name)
        groups.push_back(described(name, std::move(values)));
    return groups;
}

void describe_selected(const Outcome &outcome, const SummaryOptions &options, Summary &summary) {
    const auto selected = select(outcome, options.selection);
    Values all;
    std::map<std::string, Values> classes;
    std::map<std::string, Values> applications;
    for (std::size_t i = 0; i < outcome.jobs.size(); i++) {
        if (!selected[i])
            continue;
        const Job &job = *outcome.jobs[i].job;
        const Measures measures = measure(outcome.jobs[i], options.slowdown_bound);
        all.add(measures);
        classes[name_of(job.job_class)].add(measures);
        if (!job.application.empty())
            applications[job.application].add(measures);
    }
    summary.all = described("all", std::move(all));
    summary.classes = described(std::move(classes));
    summary.applications = described(std::move(applications));
}

void count(const JobOutcome &job, Summary &summary) {
    switch (job.end) {
    case End::completed:
        summary.completed++;
        break;
    case End::killed:
        summary.killed++;
        break;
    case End::never_started:
        summary.never_started++;
        break;
    }
    summary.backfilled += job.backfilled;
    summary.folds += job.folds;
    summary.unfolds += job.unfolds;
    summary.expiries += job.expiries;
    summary.requeues += std::max(job.starts - 1, 0);
}

} // namespace

Summary summarise(const Outcome &outcome, const SummaryOptions &options) {
    Summary summary;
    summary.cores = outcome.cores;
    summary.jobs = outcome.jobs.size();
    summary.decisions = outcome.decisions;
    describe_selected(outcome, options, summary);
    std::int64_t held = 0;
    std::int64_t wasted = 0;
    Milliseconds end = 0;
    for (const auto &job : outcome.jobs) {
        count(job, summary);
        held += job.core_milliseconds;
        wasted += job.wasted;
        end = std::max(end, job.ended);
    }
    summary.wasted_core_hours = static_cast<double>(wasted) / milliseconds_per_hour;
    if (summary.never_started < summary.jobs) {
        const Milliseconds makespan = end - outcome.jobs.front().job->submit;
        summary.makespan = static_cast<double>(makespan) / 1000;
        summary.utilisation =
            makespan > 0 ? static_cast<double>(held) / static_cast<double>(makespan) / outcome.cores
                         : 0;
    }
    return summary;
}

} // namespace vmall::sim
