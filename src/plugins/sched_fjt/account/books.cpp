// SPDX-License-Identifier: GPL-2.0-or-later
//
// What virtually malleable jobs have held.
#include "plugins/sched_fjt/account/books.hpp"

#include "plugins/sched_fjt/locks.hpp"
#include "plugins/sched_fjt/log.hpp"
#include "plugins/sched_fjt/see/core_sets.hpp"
#include "plugins/sched_fjt/see/standing.hpp"
#include "slurmglue/job_note.h"
#include "slurmglue/job_view.h"

#include <algorithm>
#include <string>
#include <utility>

namespace vmall::sched {

namespace {

// Slurm forgets it when the job waits to run again.
policy::Seconds run_end(JobNumber job, const LedgerEntry &entry, policy::Seconds now) {
    if (entry.ended)
        return entry.ended;
    const policy::Seconds known = vmall_job_end(job);
    return known ? known : now;
}

Happening end_of(JobNumber job, const LedgerEntry &entry, std::uint64_t held, policy::Seconds end) {
    Happening result;
    result.event = wire::Event::ended;
    result.time = end;
    result.job.id = job;
    if (entry.started) // else nobody knows: it was completing when slurmctld started
        result.ran = std::max<policy::Seconds>(end - entry.started - entry.suspended, 0);
    result.balance = {held,
                      0,
                      static_cast<std::uint64_t>(entry.lost.folded_until(result.ran)),
                      static_cast<std::uint64_t>(entry.lost.until(result.ran) / 1000),
                      entry.folds,
                      entry.unfolds};
    return result;
}

} // namespace

void Books::close(policy::Seconds now, const std::map<JobNumber, LedgerEntry> &ended) {
    if (ended.empty())
        return;
    const LockToRead lock;
    for (const auto &[id, entry] : ended) {
        const policy::Seconds end = run_end(id, entry, now);
        const std::uint64_t held = entry.holding.core_seconds(end);
        counters_.core_seconds += held;
        ledger_.tell(end_of(id, entry, held, end));
        const std::optional<int> useful = entry.useful.unfolded_percent();
        if (entry.folds + entry.unfolds || useful)
            log_info(job_name(id) + " has ended, it held " + std::to_string(held) +
                     " core-seconds, folds=" + std::to_string(entry.folds) +
                     " unfolds=" + std::to_string(entry.unfolds) +
                     (useful ? " useful=" + std::to_string(*useful) + "%" : ""));
    }
}

void Books::keep(const View &view, const config::Config &config) {
    bool unrecorded = false;
    std::map<JobNumber, common::Note> notes;
    for (const auto &[id, job] : view.active) {
        if (!job.virtually_malleable)
            continue;
        LedgerEntry &entry = ledger_.of(job);
        const bool running = job.state == JobState::running;
        entry.suspended = job.suspended;
        if (job.state == JobState::completing)
            entry.ended = job.cores_since;
        entry.holding.change(running ? core_count(job.cores) : 0, job.cores_since);
        unrecorded = unrecorded || (running && !job.record_can_end);
        if (!running || !config.job_note)
            continue;
        const common::Note note{class_of(job, config), mpl_of(job, job.cores), entry.folds,
                                entry.useful.unfolded_percent()};
        if (entry.noted && !common::says_otherwise(note, *entry.noted))
            continue;
        entry.noted = note;
        notes[id] = note;
    }
    if (unrecorded)
        record_keeper_.ask();
    if (notes.empty())
        return;
    const LockToAct lock; // an operator may have commented since the look
    for (const auto &[id, note] : notes)
        vmall_set_admin_comment(id, common::with_note(vmall_admin_comment(id), note).c_str());
}

} // namespace vmall::sched
