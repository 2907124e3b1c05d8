// SPDX-License-Identifier: GPL-2.0-or-later
//
// What virtually malleable jobs have held.
#include "plugins/sched_fjt/account/books.hpp"

#include "plugins/sched_fjt/account/admin_comment.hpp"
#include "plugins/sched_fjt/locks.hpp"
#include "plugins/sched_fjt/log.hpp"
#include "plugins/sched_fjt/see/core_sets.hpp"
#include "plugins/sched_fjt/see/snapshot.hpp"
#include "slurmglue/job_note.h"
#include "slurmglue/job_view.h"

#include <string>
#include <utility>

namespace vmall::sched {

void Books::close(policy::Seconds now, const std::map<JobNumber, LedgerEntry> &ended) {
    if (ended.empty())
        return;
    const LockToRead lock;
    for (const auto &[id, entry] : ended) {
        const policy::Seconds end = vmall_job_end(id);
        const std::uint64_t held = entry.holding.core_seconds(end ? end : now);
        counters_.core_seconds += held;
        if (entry.folds + entry.unfolds)
            log_info(job_name(id) + " has ended, it held " + std::to_string(held) +
                     " core-seconds, folds=" + std::to_string(entry.folds) +
                     " unfolds=" + std::to_string(entry.unfolds));
    }
}

void Books::keep(const View &view, const config::Config &config) {
    bool unrecorded = false;
    std::map<JobNumber, std::string> comments;
    for (const auto &[id, job] : view.active) {
        if (!job.virtually_malleable)
            continue;
        LedgerEntry &entry = ledger_.of(job);
        const bool running = job.state == JobState::running;
        entry.holding.change(running ? core_count(job.cores) : 0, job.cores_since);
        unrecorded = unrecorded || (running && !job.record_can_end);
        const std::pair<int, std::uint64_t> note{mpl_of(job, job.cores), entry.folds};
        if (!running || entry.noted == note)
            continue;
        entry.noted = note;
        comments[id] = with_note(job.admin_comment, class_of(job, config), note.first, note.second);
    }
    if (unrecorded)
        record_keeper_.ask();
    if (comments.empty())
        return;
    const LockToAct lock;
    for (const auto &[id, comment] : comments)
        vmall_set_admin_comment(id, comment.c_str());
}

} // namespace vmall::sched
