// SPDX-License-Identifier: GPL-2.0-or-later
//
// Rows and counters for vmctl, metrics for vmall-exporter.
#include "plugins/sched_fjt/answer/status.hpp"

#include "plugins/sched_fjt/decide/fold_bound.hpp"
#include "plugins/sched_fjt/see/core_sets.hpp"
#include "plugins/sched_fjt/see/standing.hpp"
#include "policy/reasons.hpp"

#include <algorithm>
#include <iterator>

namespace vmall::sched {

namespace {

wire::JobRow row_of(const View &view, const JobView &job, const LedgerEntry *entry,
                    const config::Config &config, const Surroundings &surroundings) {
    wire::JobRow row;
    row.job_id = job.id;
    row.user_id = job.user_id;
    row.name = job.name;
    row.job_class = class_of(job, config);
    row.processes = static_cast<std::uint32_t>(job.tasks);
    row.full_cores = row.processes * static_cast<std::uint32_t>(job.cores_per_task);
    row.mpl = static_cast<std::uint32_t>(mpl_of(job, job.cores));
    for (const auto &[node, cores] : job.cores)
        row.nodes.push_back({view.nodes.at(node).name, static_cast<std::uint32_t>(cores.size())});
    row.core_seconds = row.folds = row.unfolds = 0;
    if (!entry)
        return row;
    row.backfilled = entry->backfilled;
    row.window_end = entry->window_end;
    row.generation_wanted = entry->target.wanted();
    row.generation_applied = entry->target.applied();
    row.resize_pending = entry->target.is_pending();
    row.core_seconds = entry->holding.core_seconds(view.now);
    row.lost_seconds = static_cast<std::uint64_t>(time_lost(job, view.now, *entry));
    row.folds = entry->folds;
    row.unfolds = entry->unfolds;
    row.ranks = entry->ranks;
    row.useful_percent = entry->useful.unfolded_percent();
    row.useful_last_percent = entry->useful.last_unfolded_percent();
    if (const policy::Seconds wait = until_next_fold(job, view.now, *entry, config);
        wait > 0 && wait < policy::never)
        row.folds_again_at = view.now + wait;
    row.restraint = restraint_of(view, job, *entry, config, surroundings);
    return row;
}

// Why a job that asked, or was to take part, does not. Empty: it did not ask, or does.
std::string why_left_out(const View &view, const JobView &job, const Ledger &ledger) {
    if (!job.refusal.empty())
        return job.refusal;
    if (job.virtually_malleable || !(job.request.asked || job.by_default))
        return "";
    if (!view.contradiction.empty())
        return "is scheduled like the others: " + view.contradiction;
    const LedgerEntry *entry = ledger.find(job.id);
    if (!entry || !entry->counts_as_none())
        return "";
    return "is scheduled like the others: " + (entry->left_alone_because.empty()
                                                   ? "its nodes cannot fold it"
                                                   : entry->left_alone_because);
}

wire::WaitingRow row_of(const JobView &job, const policy::Wait &wait,
                        const config::Config &config) {
    wire::WaitingRow row;
    row.job_id = job.id;
    row.user_id = job.user_id;
    row.name = job.name;
    row.job_class = class_of(job, config);
    row.partition = job.partition;
    row.sizes = accepted_sizes(job);
    row.reason = policy::in_words(wait.why);
    row.expected_start = wait.expected_start;
    return row;
}

// Jobs that are not resized because of accounting, and core-seconds of all jobs.
struct Totals {
    std::uint64_t unrecorded = 0;
    std::uint64_t core_seconds = 0;
    std::uint64_t folding_cost = 0;
};

Totals totals_of(const View &view, const Ledger &ledger, const Counters &counters) {
    Totals totals{0, counters.core_seconds, static_cast<std::uint64_t>(ledger.folding_cost())};
    for (const auto &[id, job] : view.active) {
        if (!job.virtually_malleable)
            continue;
        totals.unrecorded += job.state == JobState::running && !job.record_can_end;
        if (const LedgerEntry *entry = ledger.find(id))
            totals.core_seconds += entry->holding.core_seconds(view.now);
    }
    return totals;
}

std::vector<wire::Stat> stats_of(const Counters &counters, std::uint64_t waiting,
                                 const std::vector<wire::JobRow> &jobs, const Totals &totals) {
    std::uint64_t folded = 0, pending = 0, measured_cores = 0, useful_hundredths = 0;
    for (const wire::JobRow &job : jobs) {
        folded += job.mpl > 1;
        pending += job.resize_pending;
        if (job.useful_percent) {
            measured_cores += job.full_cores;
            useful_hundredths +=
                std::uint64_t{job.full_cores} * static_cast<unsigned>(*job.useful_percent);
        }
    }
    return {
        {"passes", counters.passes, "Scheduling passes."},
        {"pass_microseconds", counters.pass_microseconds,
         "How long they took in all, without waiting for slurmctld's locks."},
        {"pass_longest_microseconds", counters.pass_longest_microseconds, "The longest of them."},
        {"locked_microseconds", counters.locked_microseconds,
         "Of that, with slurmctld's jobs locked for writing."},
        {"locked_longest_microseconds", counters.locked_longest_microseconds,
         "The longest time in one go that they were."},
        {"starts", counters.starts, "Jobs started by sched/fjt."},
        {"folded_starts", counters.folded_starts, "Jobs started on fewer cores than processes."},
        {"backfilled", counters.backfilled, "Jobs started before an earlier one."},
        {"folds", counters.folds.total(), "Running jobs that gave up cores."},
        {"unfolds", counters.unfolds.total(), "Running jobs that got cores back."},
        {"windows_expired", counters.windows_expired,
         "Backfilled jobs folded or requeued because their window had expired."},
        {"requeues", counters.requeues, "Running jobs put back into the queue."},
        {"refusals_by_slurm", counters.refusals_by_slurm,
         "Starts that the policy wanted and Slurm did not allow."},
        {"refusals_by_limits", counters.refusals_by_limits,
         "Unfolds that a limit of the job's association, QOS or partition did not allow."},
        {"refusals_by_accounting", counters.refusals_by_accounting,
         "Resizes that were not made because slurmdbd was not ready for them."},
        {"refusals_by_nodes", counters.refusals_by_nodes.total(), "Targets that a node refused."},
        {"unanswered", counters.unanswered.total(), "Targets that a node did not answer in time."},
        {"core_seconds_without_memory", counters.core_seconds_without_memory,
         "Core-seconds, at most, of cores that were free or could have been lent to jobs that "
         "waited for memory."},
        {"jobs_waiting", waiting,
         "Virtually malleable jobs that could start now as far as Slurm's limits go."},
        {"jobs_malleable", jobs.size(), "Virtually malleable jobs that run."},
        {"jobs_folded", folded, "Running jobs with more processes than cores."},
        {"cores_measured", measured_cores,
         "Cores that the running jobs whose useful share is known have unfolded."},
        {"cores_useful", (useful_hundredths + 50) / 100,
         "How many of these cores their processes make use of."},
        {"folding_cost_percent", totals.folding_cost,
         "Of the time that work should take on a job's cores, what it takes folded: the median of "
         "the last jobs."},
        {"jobs_unrecorded", totals.unrecorded,
         "Running jobs that are not resized until slurmdbd has their last record."},
        {"resizes_pending", pending, "Jobs with a target that not all nodes have confirmed."},
        {"core_seconds", totals.core_seconds,
         "Core-seconds held by virtually malleable jobs that run, or have ended."},
    };
}

} // namespace

template <typename Row>
std::string Status::List<Row>::page(const wire::PageStart &from, Viewer &viewer) const {
    if (viewer.sees_everybody())
        return wire::encode_page(rows, from);
    std::vector<Row> seen;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(seen),
                 [&](const Row &row) { return viewer.sees(row.user_id, accounts.at(row.job_id)); });
    return wire::encode_page(seen, from);
}

Status::LeftOut Status::left_out(const View &view, const Ledger &ledger) {
    LeftOut result;
    const auto add = [&](const JobView &job) {
        if (std::string why = why_left_out(view, job, ledger); !why.empty())
            result.add({job.id, job.user_id, std::move(why)}, job.account);
    };
    for (const auto &[id, job] : view.active)
        add(job);
    std::for_each(view.queue.begin(), view.queue.end(), add);
    std::sort(result.rows.begin(), result.rows.end(),
              [](const auto &one, const auto &other) { return one.job_id < other.job_id; });
    return result;
}

void Status::publish(const View &view, const Ledger &ledger, const Counters &counters,
                     const config::Config &config) {
    const Surroundings surroundings{folding_is_dear(view, ledger.folding_cost()), memory_};
    Jobs jobs;
    for (const auto &[id, job] : view.active)
        if (job.virtually_malleable && job.state == JobState::running)
            jobs.add(row_of(view, job, ledger.find(id), config, surroundings), job.account);
    std::vector<wire::Stat> stats =
        stats_of(counters, waiting_.jobs(), jobs.rows, totals_of(view, ledger, counters));
    auto new_jobs = std::make_shared<const Jobs>(std::move(jobs));
    auto new_left_out = std::make_shared<const LeftOut>(left_out(view, ledger));
    auto new_stats = std::make_shared<const Stats>(std::move(stats));
    auto new_metrics =
        std::make_shared<const Metrics>(metrics_of(view, ledger, counters, waiting_, config));
    const std::lock_guard<std::mutex> guard(mutex_);
    jobs_.swap(new_jobs);
    left_out_.swap(new_left_out);
    stats_.swap(new_stats);
    metrics_.swap(new_metrics);
}

void Status::publish_queue(const View &view, const std::vector<policy::Action> &actions,
                           const config::Config &config) {
    std::map<JobNumber, const policy::Wait *> waits;
    for (const policy::Action &action : actions)
        if (const auto *wait = std::get_if<policy::Wait>(&action))
            waits[wait->id.value] = wait;
    Queue queue;
    waiting_ = {};
    for (const JobView &job : view.queue)
        if (const auto wait = waits.find(job.id); job.virtually_malleable && wait != waits.end()) {
            wire::WaitingRow row = row_of(job, *wait->second, config);
            row.position = static_cast<std::uint32_t>(queue.rows.size());
            waiting_.add(row.job_class, wait->second->why.kind, job.submitted);
            queue.add(std::move(row), job.account);
        }
    std::sort(queue.rows.begin(), queue.rows.end(),
              [](const auto &one, const auto &other) { return one.job_id < other.job_id; });
    auto new_queue = std::make_shared<const Queue>(std::move(queue));
    const std::lock_guard<std::mutex> guard(mutex_);
    queue_.swap(new_queue);
}

std::string Status::answer(const wire::Query &query, Viewer viewer) const {
    std::unique_lock<std::mutex> lock(mutex_);
    const auto jobs = jobs_;
    const auto queue = queue_;
    const auto left_out = left_out_;
    const auto stats = stats_;
    const auto metrics = metrics_;
    lock.unlock();
    switch (query.ask) {
    case wire::Ask::jobs:
        return jobs->page(query.from, viewer);
    case wire::Ask::queue:
        return queue->page(query.from, viewer);
    case wire::Ask::left_out:
        return left_out->page(query.from, viewer);
    case wire::Ask::metrics:
        return wire::encode(*metrics);
    default:
        return wire::encode(*stats);
    }
}

} // namespace vmall::sched
