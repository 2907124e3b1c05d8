// SPDX-License-Identifier: GPL-2.0-or-later
//
// Families of metrics: what only the controller knows.
#include "plugins/sched_fjt/answer/metrics.hpp"

#include "plugins/sched_fjt/account/lending.hpp"
#include "plugins/sched_fjt/see/core_sets.hpp"
#include "plugins/sched_fjt/see/standing.hpp"
#include "policy/reasons.hpp"
#include "wire/installation.hpp"
#include "wire/metric_families.hpp"

#include <slurm/slurm.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

namespace vmall::sched {

namespace {

using Families = wire::MetricFamilies;
using policy::JobClass;
using wire::MetricFamily;
using wire::MetricType;
using wire::Sample;

constexpr double microseconds_per_second = 1e6;

constexpr double nanoseconds_per_second = 1e9;

double seconds(std::uint64_t microseconds) {
    return static_cast<double>(microseconds) / microseconds_per_second;
}

// The running jobs, added up.
struct Running {
    wire::RunningJobs all;
    std::map<std::pair<JobClass, std::string_view>, std::uint64_t> jobs; // by class and state
    std::uint64_t core_seconds = 0;                                      // since they started
    std::uint64_t unrecorded = 0;
    policy::Seconds longest_folded = 0;

    void add(const JobView &job);
    void add(const JobView &job, const LedgerEntry &entry, policy::Seconds now);
};

void Running::add(const JobView &job, const LedgerEntry &entry, policy::Seconds now) {
    core_seconds += entry.holding.core_seconds(now);
    if (job.state != JobState::running)
        return;
    all.resizes_pending += entry.target.is_pending();
    all.note(entry.ranks, entry.useful.unfolded_percent());
    if (cores_lent(job) > 0)
        longest_folded = std::max(longest_folded, now - entry.resized_at.value_or(job.started));
}

void Running::add(const JobView &job) {
    all.cores_held += core_count(job.cores);
    all.cores_lent += static_cast<std::uint64_t>(cores_lent(job));
    unrecorded += !job.record_can_end;
}

std::string_view state_of(const JobView &job) {
    if (job.state == JobState::suspended)
        return wire::state_suspended;
    return cores_lent(job) > 0 ? wire::state_folded : wire::state_unfolded;
}

Running running_jobs(const View &view, const Ledger &ledger, const config::Config &config) {
    Running sum;
    for (const auto &[id, job] : view.active) {
        if (!job.virtually_malleable)
            continue;
        if (job.state != JobState::completing)
            ++sum.jobs[{class_of(job, config), state_of(job)}];
        if (job.state == JobState::running)
            sum.add(job);
        if (const LedgerEntry *entry = ledger.find(id))
            sum.add(job, *entry, view.now);
    }
    return sum;
}

template <std::size_t count>
void add_tally(Families &to, const char *name, const std::array<const char *, count> &labels,
               const Tally<count> &tally, const char *help) {
    MetricFamily &family = to.add(MetricType::counter, name, help);
    for (const auto &[values, number] : tally.counts()) {
        Sample sample{{}, static_cast<double>(number)};
        for (std::size_t i = 0; i < count; ++i)
            sample.labels.emplace(labels[i], values[i]);
        family.samples.push_back(std::move(sample));
    }
}

std::vector<Sample> by_class_and_state(const Running &running, const Waiting &waiting) {
    std::vector<Sample> samples;
    for (const JobClass job_class : common::job_classes) {
        const auto tell = [&](std::string_view state, std::uint64_t count) {
            samples.push_back({{{"class", name_of(job_class)}, {"state", std::string(state)}},
                               static_cast<double>(count)});
        };
        for (const std::string_view state :
             {wire::state_unfolded, wire::state_folded, wire::state_suspended}) {
            const auto found = running.jobs.find({job_class, state});
            tell(state, found == running.jobs.end() ? 0 : found->second);
        }
        const auto found = waiting.by_class.find(job_class);
        tell(wire::state_waiting, found == waiting.by_class.end() ? 0 : found->second);
    }
    return samples;
}

void add_queue(Families &to, const Waiting &waiting, policy::Seconds now) {
    MetricFamily &queue = to.add(MetricType::gauge, "queue_jobs",
                                 "Virtually malleable jobs that wait, by why they do.");
    for (const auto &[why, count] : waiting.by_reason)
        queue.samples.push_back({{{"reason", policy::name_of(why)}}, static_cast<double>(count)});
    const policy::Seconds longest =
        waiting.first_submitted ? std::max<policy::Seconds>(now - *waiting.first_submitted, 0) : 0;
    to.gauge("queue_longest_wait_seconds", longest,
             "For how long the one of them has been submitted that was first.");
}

void add_cores(Families &to, const Running &running, const Counters &counters) {
    to.gauge("cores_without_memory", counters.cores_without_memory,
             "Cores, at most, that are free or could be lent to jobs that wait for memory.");
    to.counter("core_seconds_total", counters.core_seconds + running.core_seconds,
               "Core-seconds held by virtually malleable jobs that run, or have ended.");
    to.counter("core_seconds_lent_total", counters.core_seconds_lent,
               "Core-seconds that folded jobs have left to others: what folding gained.");
    to.counter(
        "core_seconds_lost_total", counters.core_seconds_lost,
        "Core-seconds of work that folded jobs would have done unfolded and did not, by what "
        "their ranks were seen to use: what folding cost.");
    to.counter(
        "core_seconds_without_memory_total", counters.core_seconds_without_memory,
        "Core-seconds, at most, of cores that were free or could have been lent to jobs that "
        "waited for memory.");
}

void add_resizes(Families &to, const Running &running, const Counters &counters) {
    add_tally<3>(to, "folds_total", {"partition", "class", "reason"}, counters.folds,
                 "Running jobs that gave up cores: to make room for a job, the same because their "
                 "window had expired, for the growth of another, or by sharing among all.");
    add_tally<2>(to, "unfolds_total", {"partition", "class"}, counters.unfolds,
                 "Running jobs that got cores back.");
    to.add(MetricType::histogram, "resize_seconds",
           "From the decision to resize a job until all of its nodes had confirmed.")
        .samples = {wire::sample_of({{"direction", "fold"}}, counters.fold_times),
                    wire::sample_of({{"direction", "unfold"}}, counters.unfold_times)};
    to.gauge(
        "folded_longest_seconds", running.longest_folded,
        "For how long the one of the folded jobs has not been resized that was resized first.");
    to.counter("windows_expired_total", counters.windows_expired,
               "Backfilled jobs folded or requeued because their window had expired.");
    to.counter("requeues_total", counters.requeues, "Running jobs put back into the queue.");
}

void add_refusals(Families &to, const Running &running, const Counters &counters) {
    to.add(MetricType::counter, "refusals_total",
           "What Slurm did not allow: starts, unfolds beyond a limit of the association, QOS or "
           "partition, resizes that slurmdbd was not ready for.")
        .samples = {{{{"by", "slurm"}}, static_cast<double>(counters.refusals_by_slurm)},
                    {{{"by", "limits"}}, static_cast<double>(counters.refusals_by_limits)},
                    {{{"by", "accounting"}}, static_cast<double>(counters.refusals_by_accounting)}};
    add_tally<2>(to, "node_refusals_total", {"node", "reason"}, counters.refusals_by_nodes,
                 "Targets that a node refused.");
    add_tally<1>(to, "node_unanswered_total", {"node"}, counters.unanswered,
                 "Targets that a node did not answer in time.");
    to.gauge("jobs_unrecorded", running.unrecorded,
             "Running jobs that are not resized until slurmdbd has their last record.");
}

void add_hand_overs(Families &to, const Ledger &ledger) {
    common::Distribution<8> hand_overs{{1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5, 1e-4, 1e-3}};
    for (const auto &[node, ns] : ledger.hand_overs_ns())
        hand_overs.note(ns / nanoseconds_per_second);
    to.add(MetricType::histogram, "hand_over_seconds",
           "Nodes, by what their kernel takes to hand a CPU from one process to another, as far as "
           "they have measured it and had jobs since slurmctld started.")
        .samples = {wire::sample_of({}, hand_overs)};
}

void add_scheduler(Families &to, const Counters &counters) {
    to.counter("passes_total", counters.passes, "Scheduling passes.");
    to.counter("pass_seconds_total", seconds(counters.pass_microseconds),
               "How long they took in all, without waiting for slurmctld's locks.");
    to.gauge("pass_longest_seconds", seconds(counters.pass_longest_microseconds),
             "The longest of them.");
    to.counter("locked_seconds_total", seconds(counters.locked_microseconds),
               "Of that, with slurmctld's jobs locked for writing.");
    to.gauge("locked_longest_seconds", seconds(counters.locked_longest_microseconds),
             "The longest time in one go that they were.");
    to.counter("starts_total", counters.starts, "Jobs started by sched/fjt.");
    to.counter("folded_starts_total", counters.folded_starts,
               "Jobs started on fewer cores than processes.");
    to.counter("backfilled_total", counters.backfilled, "Jobs started before an earlier one.");
    add_build(to, wire::slurm_release(SLURM_VERSION_NUMBER));
}

} // namespace

void Waiting::add(JobClass job_class, policy::Reason::Kind why, policy::Seconds submitted) {
    ++by_class[job_class];
    ++by_reason[why];
    first_submitted = std::min(first_submitted.value_or(submitted), submitted);
}

std::uint64_t Waiting::jobs() const {
    return std::accumulate(
        by_class.begin(), by_class.end(), std::uint64_t{0},
        [](std::uint64_t sum, const auto &of_class) { return sum + of_class.second; });
}

std::vector<MetricFamily> metrics_of(const View &view, const Ledger &ledger,
                                     const Counters &counters, const Waiting &waiting,
                                     const config::Config &config) {
    const Running running = running_jobs(view, ledger, config);
    Families families;
    add_running(families, by_class_and_state(running, waiting), running.all);
    add_queue(families, waiting, view.now);
    add_cores(families, running, counters);
    add_resizes(families, running, counters);
    add_refusals(families, running, counters);
    add_hand_overs(families, ledger);
    add_scheduler(families, counters);
    return families.take();
}

} // namespace vmall::sched
