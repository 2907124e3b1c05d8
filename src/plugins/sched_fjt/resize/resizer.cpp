// SPDX-License-Identifier: GPL-2.0-or-later
//
// The state of a resize is in the ledger; this moves it from one state to the next.
#include "plugins/sched_fjt/resize/resizer.hpp"

#include "plugins/sched_fjt/account/time_limits.hpp"
#include "plugins/sched_fjt/locks.hpp"
#include "plugins/sched_fjt/log.hpp"
#include "plugins/sched_fjt/resize/confirmation.hpp"
#include "plugins/sched_fjt/resize/node_room.hpp"
#include "plugins/sched_fjt/see/core_sets.hpp"
#include "plugins/sched_fjt/see/fold_bound.hpp"
#include "plugins/sched_fjt/see/look.hpp"
#include "plugins/sched_fjt/see/standing.hpp"
#include "slurmglue/job_resize.h"
#include "slurmglue/job_view.h"

#include <slurm/slurm_errno.h>

#include <algorithm>
#include <chrono>
#include <set>

namespace vmall::sched {

namespace {

// With a step that does not register.
constexpr policy::Seconds patience_with_steps = 10;

// What a resize changes beside cores.
struct Change {
    RunTime time; // afterwards
    std::optional<WorkLimit> limit;
    std::uint32_t limit_seconds = 0; // 0: the job has no limit

    Change(const LedgerEntry &entry, const View &view, const JobView &job, int mpl)
        : time(run_time_of(view.now, job, entry)), limit(limit_at(mpl, view.now, job, entry)) {
        time.mpl = mpl;
        if (limit)
            limit_seconds = static_cast<std::uint32_t>(limit->extend(time));
    }
    policy::Seconds left() const { return limit_seconds ? limit_seconds - time.ran : 0; }
};

// Slurm's part of a resize. Returns its error, 0 for none.
int change_in_slurm(const JobView &job, const CoreSets &cores, const Change &change) {
    const std::vector<vmall_node_cores> target = for_slurm(cores);
    return vmall_resize_job(job.id, target.data(), static_cast<std::uint32_t>(target.size()),
                            change.limit_seconds);
}

// By name.
std::set<std::string> nodes_with_steps(const View &view, const JobView &job) {
    std::set<std::string> nodes;
    for (const auto &[node, cores] : job.cores)
        if (vmall_has_step_on(job.id, node))
            nodes.insert(view.nodes.at(node).name);
    return nodes;
}

std::string from_to(const JobView &job, const CoreSets &cores) {
    return job_name(job.id) + " from " + std::to_string(core_count(job.cores)) + " to " +
           std::to_string(core_count(cores)) + " cores, " + std::to_string(job.tasks) +
           " processes, MPL " + std::to_string(mpl_of(job, cores));
}

void note_resize(LedgerEntry &entry, const View &view, const Change &change) {
    entry.resized_at = view.now;
    entry.lost.change(change.time.ran, change.time.mpl);
    entry.limit = change.limit.value_or(WorkLimit());
}

void note_applied(LedgerEntry &entry, JobNumber job, ResizeTimes &times) {
    entry.applied = entry.wanted;
    if (!entry.decided_at)
        return; // told what it has had before
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - *entry.decided_at);
    entry.decided_at.reset();
    times.note(std::chrono::duration<double>(took).count());
    log_verbose("resize of " + job_name(job) + " applied after " + std::to_string(took.count()) +
                " microseconds");
}

// Of a node that has answered.
const char *why_refused(const NodeReply &reply) {
    if (reply.unattached)
        return "unattached";
    switch (reply.outcome) {
    case control::Outcome::superseded:
        return "superseded";
    case control::Outcome::unknown_job:
        return "unknown_job";
    default:
        return "refused";
    }
}

} // namespace

void Resizer::configure(const config::Config &config) {
    sender_.configure(config);
    surveyor_.configure(config);
    config_ = config;
    rules_ = cores::rules_of(config);
}

void Resizer::send(const View &view, const JobView &job, const CoreSets &cores, bool only_served) {
    if (cores.empty())
        return; // nobody would ever confirm it
    LedgerEntry &entry = ledger_.of(job);
    entry.wanted = ledger_.next_generation();
    entry.under_way = false; // if sending fails, it is told again
    entry.surveyed.reset();
    sender_.send(view, job, cores, entry.wanted, only_served);
    entry.under_way = true;
}

void Resizer::fold(const View &view, const JobView &job, const policy::CoreCounts &target,
                   const Purpose &purpose) {
    CoreSets keep = kept_cores(view, job, target);
    LedgerEntry &entry = ledger_.of(job);
    entry.decided_at = std::chrono::steady_clock::now();
    if (entry.applied != entry.wanted)
        entry.applied = 0; // if they refuse, they are still to be told what the job has now
    log_debug("asking the nodes to fold " + from_to(job, keep));
    send(view, job, keep, job.by_default);
    entry.fold_to = std::move(keep);
    entry.folded_for = purpose;
}

bool Resizer::unfold(const JobView &job, const policy::CoreCounts &target, common::Cause why) {
    const auto decided_at = std::chrono::steady_clock::now();
    View view = look_at_job(job.id, rules_);
    ledger_.mark(view);
    const auto active = view.active.find(job.id);
    if (active == view.active.end() || !active->second.virtually_malleable ||
        active->second.cores != job.cores)
        return false;
    const Change change(ledger_.of(job), view, active->second, mpl_on(job, target));
    const CoreSets free = free_cores_beside(job.id);
    CoreSets grown;
    CoreSets withheld = withheld_from(job.id, change.left());
    for (const auto &[node, held] : job.cores) {
        const cores::Cores available = without(free.at(node), withheld[node]);
        grown[node] = cores::extend(held, available, view.nodes.at(node).cores_per_socket,
                                    wanted_on(target, node));
        if (grown[node].size() < wanted_on(target, node)) {
            ledger_.of(job).retry_at = view.steady + config_.resize_retry_interval;
            return false;
        }
    }
    if (const int error = change_in_slurm(job, grown, change)) {
        count_refusal("unfold", job.id, error);
        ledger_.of(job).retry_at = view.steady + config_.resize_retry_interval;
        return false;
    }
    LedgerEntry &entry = ledger_.of(job);
    entry.decided_at = decided_at;
    note_resize(entry, view, change);
    entry.useful.begin_anew(); // its nodes do not know yet
    ++entry.unfolds;
    counters_.unfolds.count({job.partition, common::name_of(class_of(job, config_))});
    log_info("unfolded " + from_to(job, grown));
    tell(control::Event::unfolded, view, job, grown, {why});
    send(view, job, grown);
    return true;
}

void Resizer::announce(const View &view, const JobView &job) {
    send(view, job, job.cores);
}

void Resizer::settle() {
    for (const Confirmation &confirmation : messenger_.take())
        try {
            settle_one(confirmation);
        } catch (const std::exception &error) {
            log_error("resize of " + job_name(confirmation.job) + ": " + error.what());
            give_up(confirmation);
        }
}

// The nodes are told what the job has once more; until then nobody knows what they did.
void Resizer::give_up(const Confirmation &confirmation) {
    LedgerEntry *entry = ledger_.find(confirmation.job);
    if (!entry || entry->wanted != confirmation.generation)
        return;
    entry->fold_to.reset();
    entry->decided_at.reset();
    entry->retry_at = steady_seconds() + config_.resize_retry_interval;
}

void Resizer::settle_one(const Confirmation &confirmation) {
    LedgerEntry *entry = ledger_.find(confirmation.job);
    if (!entry || entry->wanted != confirmation.generation)
        return; // the job has ended, or a newer target is under way
    if (entry->surveyed) {
        surveyor_.take(confirmation, *entry);
        return;
    }
    entry->under_way = false;
    entry->only_noted = is_noted(confirmation) || (entry->only_noted && !is_applied(confirmation));
    if (all_answered(confirmation))
        entry->ranks = ranks_of(confirmation);
    const LockToAct lock;
    View view = look_at_job(confirmation.job, rules_);
    ledger_.mark(view);
    entry->noted_at = view.steady;
    const auto found = view.active.find(confirmation.job);
    if (found == view.active.end() || found->second.state == JobState::completing)
        return; // nothing is told to its nodes, which may have forgotten it
    const JobView &job = found->second;
    if (all_answered(confirmation) && entry->ranks)
        ledger_.note_ranks(job.id, *entry->ranks, view.steady, held_by(job));
    const bool folding = entry->fold_to.has_value();
    const bool confirmed = all_confirmed(confirmation, view, job, folding);
    const bool must_not_fold = folding && !job.virtually_malleable; // any more
    if (must_not_fold)
        log_info(job_name(job.id) + " is not virtually malleable any more; it keeps its cores");
    if (!confirmed || must_not_fold)
        back_off(view, job, *entry, folding && may_have_moved(confirmation));
    else if (entry->fold_to)
        release(view, job, *entry);
    else
        note_applied(*entry, job.id, counters_.unfold_times);
    if (job.virtually_malleable && !entry->under_way)
        leave_alone_if_unattached(confirmation, view.steady, *entry);
}

// A step may be about to register, or its slurmd be away. Nodes that have done what was asked are
// told first that it comes to nothing.
void Resizer::leave_alone_if_unattached(const Confirmation &confirmation, policy::Seconds steady,
                                        LedgerEntry &entry) {
    if (entry.left_alone)
        return;
    const std::string *why = why_unattached(confirmation);
    if (why == nullptr) {
        entry.unattached_since.reset();
        return;
    }
    const policy::Seconds since = entry.unattached_since.value_or(steady);
    entry.unattached_since = since;
    if (steady < since + patience_with_steps || !all_answered(confirmation))
        return;
    entry.left_alone = true;
    entry.left_alone_because = *why;
    log_info(job_name(confirmation.job) + " cannot be folded (" + *why +
             "): it is scheduled like the others " +
             (entry.counts_as_none() ? "from now on" : "once it has all its cores back"));
}

// A node where nothing of the job is registered has nothing to move: fine unless cores are to be
// given to somebody else while Slurm knows of steps there, which would then run on them.
bool Resizer::all_confirmed(const Confirmation &confirmation, const View &view, const JobView &job,
                            bool folding) {
    const auto with_steps = folding ? nodes_with_steps(view, job) : std::set<std::string>();
    bool all = true;
    for (const NodeReply &reply : confirmation.replies) {
        ledger_.outbid(reply.generation);
        const bool applied = reply.answered && reply.outcome == control::Outcome::applied &&
                             reply.generation == confirmation.generation;
        const bool nothing_there = reply.answered &&
                                   reply.outcome == control::Outcome::unknown_job &&
                                   with_steps.count(reply.node) == 0;
        if (applied || nothing_there)
            continue;
        all = false;
        count_failure(reply);
        const std::string reason =
            !reply.reason.empty() ? reply.reason
            : reply.outcome == control::Outcome::superseded
                ? "it knows a newer target"
                : "it knows nothing of the job's steps (no --vm option reached them?)";
        const std::string line = job_name(job.id) + " on node " + reply.node +
                                 (reply.answered ? ": refused: " : ": no answer: ") + reason;
        if (folding)
            log_info(line + "; the job keeps its cores");
        else
            log_debug(line);
    }
    return all;
}

void Resizer::count_failure(const NodeReply &reply) {
    if (reply.answered)
        counters_.refusals_by_nodes.count({reply.node, why_refused(reply)});
    else
        counters_.unanswered.count({reply.node});
}

void Resizer::release(const View &view, const JobView &job, LedgerEntry &entry) {
    const CoreSets keep = std::move(*entry.fold_to);
    entry.fold_to.reset();
    const Change change(entry, view, job, mpl_of(job, keep));
    if (const int error = change_in_slurm(job, keep, change)) {
        count_refusal("fold", job.id, error);
        back_off(view, job, entry, true);
        return;
    }
    note_resize(entry, view, change);
    entry.resize_loss.note_fold(change.time.ran * 1000, max_resize_loss(job, config_));
    note_applied(entry, job.id, counters_.fold_times);
    ++entry.folds;
    counters_.folds.count({job.partition, common::name_of(class_of(job, config_)),
                           common::name_of(entry.folded_for.cause)});
    counters_.windows_expired += entry.folded_for.cause == common::Cause::window;
    log_info("folded " + from_to(job, keep));
    tell(control::Event::folded, view, job, keep, entry.folded_for);
}

void Resizer::tell(control::Event event, const View &view, const JobView &job,
                   const CoreSets &cores, const Purpose &purpose) {
    ledger_.tell(happening(event, view.now, job, core_count(job.cores), cores, purpose));
}

// Refusals that end by themselves are nothing for the log.
void Resizer::count_refusal(const char *action, JobNumber job, int error) {
    const std::string line =
        std::string("cannot ") + action + " " + job_name(job) + ": " + vmall_error_text(error);
    counters_.refusals_by_limits += error == ESLURM_ACCOUNTING_POLICY;
    counters_.refusals_by_accounting += error == vmall_slurmdbd_not_ready;
    if (error == ESLURM_ACCOUNTING_POLICY || error == vmall_slurmdbd_not_ready)
        log_debug(line);
    else
        log_info(line);
}

// Nothing is released. Nodes that have folded, or may yet, are told at once that the job has its
// cores back; where all have refused there is nothing to take back.
void Resizer::back_off(const View &view, const JobView &job, LedgerEntry &entry, bool moved) {
    entry.retry_at = view.steady + config_.resize_retry_interval;
    const bool folding = entry.fold_to.has_value();
    entry.fold_to.reset();
    if (folding)
        entry.decided_at.reset(); // nothing comes of it
    if (moved)
        announce(view, job);
    else if (folding)
        entry.wanted = entry.applied;
    entry.useful.begin_anew();
}

void Resizer::retry(const View &view) {
    NodeRoom room(view, ledger_);
    for (const auto &[id, job] : view.active) {
        if (!job.virtually_malleable || job.state != JobState::running || job.configuring)
            continue;
        const LedgerEntry &entry = ledger_.of(job);
        const bool never_told = !entry.wanted; // it ran before this controller did
        const bool failed = entry.applied != entry.wanted;
        // A node may have forgotten what it noted before the first step came.
        const bool has_come_since = entry.only_noted && job.has_steps &&
                                    view.steady >= entry.noted_at + config_.resize_retry_interval;
        const bool due = !entry.under_way && !entry.held_back && view.steady >= entry.retry_at;
        if (due && (never_told || failed || has_come_since) && room.take(job.cores))
            announce(view, job);
    }
}

} // namespace vmall::sched
