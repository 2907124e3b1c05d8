// SPDX-License-Identifier: GPL-2.0-or-later
//
// A recorded year under the queue disciplines, against what an independent simulator gives.
#include "experiments/reproduce/experiments.hpp"
#include "experiments/reproduce/text.hpp"
#include "policy/policies.hpp"
#include "sim/report/summary.hpp"
#include "sim/trace/swf.hpp"

#include <filesystem>
#include <optional>

namespace vmall::sim::reproduce {

namespace {

constexpr const char *file_name = "KTH-SP2-1996-2.1-cln.swf.gz";
constexpr int processors = 100;

// What pyss prints for this log and machine.
struct Reference {
    const char *policy; // our name
    const char *scheduler;
    double jobs;
    double wait_minutes;
    double bounded_slowdown;
};

constexpr Reference references[] = {
    {"fcfs", "FcfsScheduler", 27711, 3684.52, 4337.6},
    {"conservative", "ConservativeScheduler", 27712, 117.91, 90.41},
    {"easy", "EasyBackfillScheduler", 27712, 107.33, 86.51},
    {"easy-sjbf", "EasySJBFScheduler", 27712, 94.72, 65.38},
};

std::optional<Workload> read_log(const Context &context) {
    const auto path = std::filesystem::path(context.logs) / file_name;
    if (context.logs.empty() || !std::filesystem::exists(path))
        return std::nullopt;
    Treatment treatment;
    treatment.overrun = Overrun::raise_estimate;
    ReadLog log;
    return read_swf(path.string(), treatment, log);
}

sim::Summary play(const Workload &workload, const Reference &reference, Context &context) {
    Options options;
    options.policy = policy::find_policy(reference.policy).settings;
    SummaryOptions counted;
    counted.selection = steady_state();
    return sim::summarise(simulate(workload, {{processors}}, options, context.progress), counted);
}

Finding agree(const std::string &what, double accuracy, double Reference::*theirs,
              const std::vector<sim::Summary> &summaries, double (*ours)(const sim::Summary &)) {
    Finding finding;
    finding.claim = {"pyss gives the same " + what,
                     "pyss (Python Scheduler Simulator)",
                     what + ", ours / pyss",
                     between(1 - accuracy, 1 + accuracy),
                     accuracy == 0 ? "" : "the same: within 1 %",
                     true};
    for (std::size_t i = 0; i < summaries.size(); i++) {
        finding.measurements.push_back(
            {references[i].policy, {ours(summaries[i]) / references[i].*theirs}, true});
    }
    if (summaries.empty()) {
        finding.why = std::string("The log ") + file_name +
                      " was not given with --logs; the Parallel Workloads Archive has it.";
    }
    return finding;
}

Table numbers(const std::vector<sim::Summary> &summaries) {
    Table table{"What pyss gives, and vmsim",
                {"policy", "scheduler of pyss", "jobs counted", "mean wait (min), pyss", "vmsim",
                 "mean bounded slowdown, pyss", "vmsim"},
                {}};
    for (std::size_t i = 0; i < summaries.size(); i++) {
        const Reference &reference = references[i];
        table.rows.push_back(
            {reference.policy, reference.scheduler, std::to_string(summaries[i].all.wait.count),
             number(reference.wait_minutes), number(summaries[i].all.wait.mean / 60),
             number(reference.bounded_slowdown), number(summaries[i].all.bounded_slowdown.mean)});
    }
    return table;
}

Results run(Context &context) {
    const auto workload = read_log(context);
    std::vector<sim::Summary> summaries(workload ? std::size(references) : 0);
    in_parallel(context, summaries.size(),
                [&](std::size_t i) { summaries[i] = play(*workload, references[i], context); });
    Results results;
    results.findings = {
        agree("number of jobs that count", 0, &Reference::jobs, summaries,
              [](const sim::Summary &summary) { return double(summary.all.wait.count); }),
        agree("mean wait", 0.01, &Reference::wait_minutes, summaries,
              [](const sim::Summary &summary) { return summary.all.wait.mean / 60; }),
        agree("mean bounded slowdown", 0.01, &Reference::bounded_slowdown, summaries,
              [](const sim::Summary &summary) { return summary.all.bounded_slowdown.mean; }),
    };
    if (workload)
        results.tables = {numbers(summaries)};
    return results;
}

} // namespace

Experiment pyss_kth() {
    return {"pyss-kth-sp2",
            std::string("The log ") + file_name + " (Parallel Workloads Archive) under pyss",
            "Eleven months of a machine of 100 processors, with its users' estimates, under four "
            "queue disciplines: vmsim, and the independent simulator pyss.",
            {"Jobs count as pyss counts them (`vmsim run --steady-state`): not those of one "
             "processor and an estimate of a second, not the first 1 % to end, and not those that "
             "end after the last one was submitted.",
             "Like pyss, a job has the processors that it had when it was recorded, not those it "
             "asked for, and estimates below the run time are raised to it."},
            run};
}

} // namespace vmall::sim::reproduce
