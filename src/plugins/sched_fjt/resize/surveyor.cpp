// SPDX-License-Identifier: GPL-2.0-or-later
//
// When each job is surveyed, and what is learnt.
#include "plugins/sched_fjt/resize/surveyor.hpp"

#include "plugins/sched_fjt/resize/confirmation.hpp"
#include "plugins/sched_fjt/resize/node_room.hpp"
#include "plugins/sched_fjt/see/core_sets.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace vmall::sched {

namespace {

// Surveys of a job that has just started come sooner than of others, as often as it has doubled its
// age.
constexpr policy::Seconds soonest_survey = 5;
// In one pass, unless it is a single job's.
constexpr std::size_t most_nodes_surveyed = 256;

} // namespace

Held held_by(const JobView &job) {
    return {job.tasks, static_cast<int>(core_count(job.cores)), job.cores_per_task,
            mpl_of(job, job.cores), job.suspended};
}

void Surveyor::configure(const config::Config &config) {
    interval_ = config.survey_interval;
}

void Surveyor::take() {
    for (const Confirmation &reports : messenger_.take_surveys())
        note(reports);
}

// Whatever they answer, nothing is resized for it: a node that has forgotten the job is told with
// its next target.
void Surveyor::note(const Confirmation &reports) {
    LedgerEntry *entry = ledger_.find(reports.job);
    if (!entry || !entry->survey || entry->survey->generation != reports.generation)
        return; // another run of the job
    for (const NodeReply &reply : reports.replies) {
        ledger_.outbid(reply.generation);
        ledger_.note_hand_over(reply.node, reply.hand_over_ns);
    }
    Held held = entry->survey->held;
    held.hand_over_ns = dearest_hand_over_ns(reports);
    entry->survey.reset();
    if (entry->target.wanted() != reports.generation || !is_applied(reports))
        return;
    entry->served = is_served(reports);
    const std::optional<wire::RankReport> ranks = ranks_of(reports);
    if (!ranks)
        return;
    entry->ranks = ranks;
    ledger_.note_ranks(reports.job, *ranks, steady_seconds(), held);
}

// Whose turn came first is first, so that none of many jobs on a node is left out for ever.
void Surveyor::survey(const View &view) {
    if (interval_ == 0)
        return;
    std::vector<std::pair<policy::Seconds, const JobView *>> due;
    for (const auto &[id, job] : view.active) {
        if (!job.virtually_malleable || job.state != JobState::running || job.configuring)
            continue;
        const LedgerEntry &entry = ledger_.of(job);
        if (entry.target.state() == TargetState::settled && !entry.survey &&
            view.steady >= entry.survey_at)
            due.emplace_back(entry.survey_at, &job);
    }
    std::stable_sort(due.begin(), due.end(),
                     [](const auto &a, const auto &b) { return a.first < b.first; });
    NodeRoom room(view, ledger_);
    std::size_t nodes = 0;
    for (const auto &[since, job] : due) {
        if (nodes > 0 && nodes + job->cores.size() > most_nodes_surveyed)
            return; // in the next pass
        if (!room.take(job->cores))
            continue;
        nodes += job->cores.size();
        ask(view, *job);
    }
}

void Surveyor::ask(const View &view, const JobView &job) {
    LedgerEntry &entry = ledger_.of(job);
    const policy::Seconds age = std::max(view.now - job.started, soonest_survey);
    entry.survey_at = view.steady + std::min(age, interval_);
    sender_.survey(view, job, entry.target.wanted());
    entry.survey = Survey{entry.target.wanted(), held_by(job)};
}

} // namespace vmall::sched
