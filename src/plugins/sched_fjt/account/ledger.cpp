// SPDX-License-Identifier: GPL-2.0-or-later
//
// Entries of jobs that are active.
#include "plugins/sched_fjt/account/ledger.hpp"

#include "plugins/sched_fjt/see/estimate.hpp"

#include <algorithm>
#include <utility>

namespace vmall::sched {

namespace {

int mpl_of(const JobView &job) {
    return job.virtually_malleable ? mpl_on(job, job.allotment) : 1;
}

bool is_of_run(const LedgerEntry &entry, const JobView &job) {
    return job.started == 0 || entry.started == job.started;
}

} // namespace

LedgerEntry &Ledger::of(const JobView &job) {
    LedgerEntry &entry = entries_[job.id];
    if (!is_of_run(entry, job)) {
        LedgerEntry begun;
        begun.started = job.started;
        begun.lost = LostTime(0, 0, mpl_of(job));
        note_extension(job.id, entry.limit);
        if (entry.nodes_booting) {
            begun.backfilled = entry.backfilled;
            begun.window_end = entry.window_end;
        }
        entry = std::move(begun);
    }
    entry.nodes_booting = job.nodes_booting;
    return entry;
}

LedgerEntry *Ledger::find(JobNumber job) {
    const auto found = entries_.find(job);
    return found == entries_.end() ? nullptr : &found->second;
}

const LedgerEntry *Ledger::find(JobNumber job) const {
    return const_cast<Ledger *>(this)->find(job);
}

std::map<JobNumber, LedgerEntry> Ledger::keep_only(const std::map<JobNumber, JobView> &active) {
    std::map<JobNumber, LedgerEntry> dropped;
    for (auto entry = entries_.begin(); entry != entries_.end();) {
        const auto next = std::next(entry);
        if (!active.count(entry->first)) {
            note_extension(entry->first, entry->second.limit);
            dropped.insert(entries_.extract(entry));
        }
        entry = next;
    }
    return dropped;
}

void Ledger::note_extension(JobNumber job, const WorkLimit &limit) {
    if (limit.asked() != limit.granted())
        extended_[job] = limit;
}

void Ledger::note_ranks(JobNumber job, const wire::RankReport &ranks, policy::Seconds at,
                        const Held &held) {
    LedgerEntry *entry = find(job);
    if (!entry)
        return;
    entry->useful.note(ranks, at, held);
}

void Ledger::note_hand_over(const std::string &node, std::uint32_t ns) {
    if (ns > 0)
        hand_overs_ns_[node] = ns;
}

void Ledger::learn(const View &view) {
    overruns_.forget(view.now);
    folding_cost_.forget(view.now);
    for (const auto &[id, job] : view.active) {
        const LedgerEntry *entry = find(id);
        if (!entry || job.state != JobState::running || !job.virtually_malleable)
            continue;
        const policy::Seconds run = time_run(job, view.now);
        overruns_.note(
            {job.user_id, {id}, estimate_of(job), run - entry->lost.until(run) / 1000, view.now});
        const std::optional<int> percent = entry->useful.folding_percent();
        if (percent && mpl_of(job) > 1)
            folding_cost_.note({id}, *percent, view.now);
    }
}

policy::Seconds Ledger::likely_work(const JobView &job, policy::Seconds now) const {
    return std::min(overruns_.likely_work(job.user_id, estimate_of(job), now), job.time_limit);
}

void Ledger::mark(View &view) const {
    for (auto &[id, job] : view.active)
        if (const LedgerEntry *entry = find(id); entry && is_of_run(*entry, job))
            job.virtually_malleable = job.virtually_malleable && !entry->counts_as_none();
}

bool Ledger::anybody_is_folded() const {
    return std::any_of(
        entries_.begin(), entries_.end(),
        [](const auto &entry) { return entry.second.lost.mpl() > 1; });
}

} // namespace vmall::sched
