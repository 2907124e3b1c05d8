// SPDX-License-Identifier: GPL-2.0-or-later
//
// What has come of targets becomes an event of JobTarget, which says what is to be done.
#include "plugins/sched_fjt/resize/resizer.hpp"

#include "plugins/sched_fjt/account/time_limits.hpp"
#include "plugins/sched_fjt/decide/fold_bound.hpp"
#include "plugins/sched_fjt/locks.hpp"
#include "plugins/sched_fjt/log.hpp"
#include "plugins/sched_fjt/resize/confirmation.hpp"
#include "plugins/sched_fjt/resize/node_room.hpp"
#include "plugins/sched_fjt/see/core_sets.hpp"
#include "plugins/sched_fjt/see/look.hpp"
#include "plugins/sched_fjt/see/standing.hpp"
#include "slurmglue/job_resize.h"
#include "slurmglue/job_view.h"

#include <slurm/slurm_errno.h>

#include <algorithm>
#include <chrono>

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

NodeNames nodes_with_steps(const View &view, const JobView &job) {
    NodeNames nodes;
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

// Of a resize that all nodes have confirmed; nothing: they were told what the job has had before.
void note_time(std::optional<JobTarget::Clock::time_point> decided, JobNumber job,
               ResizeTimes &times) {
    if (!decided)
        return;
    const auto took =
        std::chrono::duration_cast<std::chrono::microseconds>(JobTarget::Clock::now() - *decided);
    times.note(std::chrono::duration<double>(took).count());
    log_verbose("resize of " + job_name(job) + " applied after " + std::to_string(took.count()) +
                " microseconds");
}

} // namespace

void Resizer::configure(const config::Config &config) {
    sender_.configure(config);
    surveyor_.configure(config);
    config_ = config;
    rules_ = cores::rules_of(config);
}

void Resizer::send(const View &view, const JobView &job, const CoreSets &cores, bool only_served) {
    JobTarget &target = ledger_.of(job).target;
    if (cores.empty()) { // nobody would ever confirm it
        target.on(TargetEvent::lost);
        return;
    }
    target.number(ledger_.next_generation());
    try {
        sender_.send(view, job, cores, target.wanted(), only_served);
    } catch (...) {
        target.on(TargetEvent::lost); // they are told again
        throw;
    }
}

void Resizer::fold(const View &view, const JobView &job, const policy::CoreCounts &target,
                   const Purpose &purpose) {
    const CoreSets keep = kept_cores(view, job, target);
    if (ledger_.of(job).target.fold({keep, purpose}, JobTarget::Clock::now()) != Deed::send_fold)
        return;
    log_debug("asking the nodes to fold " + from_to(job, keep));
    send(view, job, keep, job.by_default);
}

bool Resizer::unfold(const JobView &job, const policy::CoreCounts &target, common::Cause why) {
    const auto decided = JobTarget::Clock::now();
    View view = look_at_job(job.id, rules_);
    ledger_.mark(view);
    const auto active = view.active.find(job.id);
    if (active == view.active.end() || !active->second.virtually_malleable ||
        active->second.cores != job.cores || ledger_.of(job).target.state() == TargetState::folding)
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
            rest(view, ledger_.of(job));
            return false;
        }
    }
    if (const int error = change_in_slurm(job, grown, change)) {
        count_refusal("unfold", job.id, error);
        rest(view, ledger_.of(job));
        return false;
    }
    LedgerEntry &entry = ledger_.of(job);
    note_resize(entry, view, change);
    entry.useful.begin_anew(); // its nodes do not know yet
    ++entry.unfolds;
    counters_.unfolds.count({job.partition, common::name_of(class_of(job, config_))});
    log_info("unfolded " + from_to(job, grown));
    tell(wire::Event::unfolded, view, job, grown, {why});
    if (entry.target.unfold(decided) == Deed::announce)
        send(view, job, grown);
    return true;
}

void Resizer::announce(const View &view, const JobView &job) {
    if (!job.cores.empty() && ledger_.of(job).target.on(TargetEvent::due) == Deed::announce)
        send(view, job, job.cores);
}

void Resizer::conclude() {
    surveyor_.take();
    for (const Confirmation &confirmation : messenger_.take())
        try {
            conclude_one(confirmation);
        } catch (const std::exception &error) {
            log_error("resize of " + job_name(confirmation.job) + ": " + error.what());
            give_up(confirmation);
        }
}

// The nodes are told what the job has once more; until then nobody knows what they did.
void Resizer::give_up(const Confirmation &confirmation) {
    LedgerEntry *entry = ledger_.find(confirmation.job);
    if (!entry || !entry->target.awaits(confirmation.generation))
        return;
    entry->target.on(TargetEvent::lost);
    entry->target.rest_until(steady_seconds() + config_.resize_retry_interval);
}

void Resizer::conclude_one(const Confirmation &confirmation) {
    LedgerEntry *entry = ledger_.find(confirmation.job);
    if (!entry || !entry->target.awaits(confirmation.generation))
        return; // the job has ended, or a newer target is under way
    if (all_answered(confirmation))
        entry->ranks = ranks_of(confirmation);
    const LockToAct lock;
    View view = look_at_job(confirmation.job, rules_);
    ledger_.mark(view);
    entry->target.note_replies(is_noted(confirmation), is_applied(confirmation), view.steady);
    const auto found = view.active.find(confirmation.job);
    if (found == view.active.end() || found->second.state == JobState::completing) {
        entry->target.on(TargetEvent::ended); // its nodes may have forgotten it
        return;
    }
    const JobView &job = found->second;
    if (all_answered(confirmation) && entry->ranks)
        ledger_.note_ranks(job.id, *entry->ranks, view.steady, held_by(job));
    carry_out(event_for(confirmation, view, job, *entry), view, job, *entry);
    if (job.virtually_malleable && !entry->target.is_under_way())
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

TargetEvent Resizer::event_for(const Confirmation &confirmation, const View &view,
                               const JobView &job, const LedgerEntry &entry) {
    const bool folding = entry.target.state() == TargetState::folding;
    const NodeNames with_steps = folding ? nodes_with_steps(view, job) : NodeNames();
    for (const NodeReply &reply : confirmation.replies) {
        ledger_.outbid(reply.generation);
        if (confirms(reply, confirmation.generation, with_steps))
            continue;
        count_failure(reply);
        const std::string line =
            job_name(job.id) + " on node " + reply.node + ": " + why_not(reply);
        if (folding)
            log_info(line + "; the job keeps its cores");
        else
            log_debug(line);
    }
    const TargetEvent event = event_of(confirmation, with_steps);
    if (!folding || job.virtually_malleable)
        return event;
    log_info(job_name(job.id) + " is not virtually malleable any more; it keeps its cores");
    return event == TargetEvent::confirmed ? TargetEvent::failed : event;
}

void Resizer::carry_out(TargetEvent event, const View &view, const JobView &job,
                        LedgerEntry &entry) {
    const auto decided = entry.target.decided();
    const Deed deed = entry.target.on(event);
    if (deed == Deed::release)
        release(view, job, entry);
    else if (event == TargetEvent::confirmed)
        note_time(decided, job.id, counters_.unfold_times);
    else
        back_off(deed, view, job, entry);
}

void Resizer::count_failure(const NodeReply &reply) {
    if (reply.answered)
        counters_.refusals_by_nodes.count({reply.node, kind_of_refusal(reply)});
    else
        counters_.unanswered.count({reply.node});
}

void Resizer::release(const View &view, const JobView &job, LedgerEntry &entry) {
    const Fold fold = *entry.target.under_way_fold();
    const Change change(entry, view, job, mpl_of(job, fold.keep));
    if (const int error = change_in_slurm(job, fold.keep, change)) {
        count_refusal("fold", job.id, error);
        back_off(entry.target.on(TargetEvent::kept), view, job, entry);
        return;
    }
    note_resize(entry, view, change);
    entry.resize_loss.note_fold(change.time.ran * 1000, max_resize_loss(job, config_));
    note_time(entry.target.decided(), job.id, counters_.fold_times);
    entry.target.on(TargetEvent::released);
    ++entry.folds;
    counters_.folds.count({job.partition, common::name_of(class_of(job, config_)),
                           common::name_of(fold.purpose.cause)});
    counters_.windows_expired += fold.purpose.cause == common::Cause::window;
    log_info("folded " + from_to(job, fold.keep));
    tell(wire::Event::folded, view, job, fold.keep, fold.purpose);
}

void Resizer::tell(wire::Event event, const View &view, const JobView &job, const CoreSets &cores,
                   const Purpose &purpose) {
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
void Resizer::back_off(Deed deed, const View &view, const JobView &job, LedgerEntry &entry) {
    rest(view, entry);
    if (deed == Deed::announce)
        send(view, job, job.cores);
    entry.useful.begin_anew();
}

void Resizer::rest(const View &view, LedgerEntry &entry) const {
    entry.target.rest_until(view.steady + config_.resize_retry_interval);
}

void Resizer::retry(const View &view) {
    NodeRoom room(view, ledger_);
    for (const auto &[id, job] : view.active) {
        if (!job.virtually_malleable || job.state != JobState::running || job.configuring)
            continue;
        const JobTarget &target = ledger_.of(job).target;
        if (target.is_due(view.steady, job.has_steps, config_.resize_retry_interval) &&
            room.take(job.cores))
            announce(view, job);
    }
}

} // namespace vmall::sched
