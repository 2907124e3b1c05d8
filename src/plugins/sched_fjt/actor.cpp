// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the policy has decided, asked of Slurm and of the nodes.
#include "plugins/sched_fjt/actor.hpp"

#include "plugins/sched_fjt/log.hpp"
#include "plugins/sched_fjt/see/look.hpp"
#include "plugins/sched_fjt/start/open_gate.hpp"
#include "plugins/sched_fjt/start/start_request.hpp"
#include "plugins/sched_fjt/start/trial.hpp"
#include "policy/reasons.hpp"
#include "policy/room.hpp"
#include "slurmglue/job_note.h"
#include "slurmglue/job_request.h"
#include "slurmglue/job_start.h"

#include <map>
#include <set>
#include <slurm/slurm_errno.h>
#include <string>
#include <utility>

namespace vmall::sched {

namespace {

template <typename... Handlers>
struct Overloaded : Handlers... {
    using Handlers::operator()...;
};
template <typename... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

// vmall.conf does not accept window policies that ask for this.
void refuse(const char *action, policy::JobId id) {
    log_error(std::string("the policy wants to ") + action + " " + job_name(id.value) +
              ", which only vmsim does; nothing is done");
}

// Slurm takes long to tell on a large machine, and aggressive backfilling plans with the head only.
bool needs_expected_start(const policy::Start &refused, const config::Config &config) {
    return !refused.backfilled ||
           config.policy.queue_discipline == policy::QueueDiscipline::conservative;
}

bool others_hold_its_cores(const policy::Wait &wait) {
    return wait.why.kind == policy::Reason::Kind::cores ||
           wait.why.kind == policy::Reason::Kind::short_jobs;
}

// If Slurm has an idea.
std::optional<policy::Seconds> expected_start(const View &view, const JobView &job) {
    const policy::Seconds expected = vmall_expected_start(job.id);
    return expected > view.now ? std::optional(expected) : std::nullopt;
}

// Whether Slurm would preempt others takes it long to tell on a large machine.
constexpr int highest_asked = 5;

} // namespace

Actor::Actor(const select::Gate &gate, const config::Config &config, Ledger &ledger,
             Resizer &resizer, Counters &counters)
    : gate_(gate), config_(config), ledger_(ledger), resizer_(resizer), counters_(counters) {}

void Actor::raise_requests(const View &view) {
    NodeKinds kinds(view);
    LockToActInARow lock;
    for (const JobView &job : view.queue) {
        const int tasks = job.virtually_malleable ? fewest_tasks(job, kinds) : 0;
        if (job.tasks >= tasks && job.min_cpus >= tasks)
            continue;
        lock.take();
        vmall_raise_request(job.id, static_cast<std::uint32_t>(tasks));
    }
}

bool Actor::act(const View &view, const std::vector<policy::Action> &actions, Refusals &refusals,
                const TimeLimit &limit) {
    if (folds_in_vain(view, actions, refusals))
        return true;
    bool changed = false;
    bool decide_again = false;
    LockToActInARow lock;
    for (const policy::Action &action : actions) {
        std::visit(Overloaded{
                       [&](const policy::Start &it) {
                           if ((decide_again = limit.is_up()))
                               return;
                           lock.take();
                           const Outcome outcome = start(view, it, refusals);
                           changed = changed || outcome != Outcome::nothing;
                           // One out of the queue's order only leaves the others more room.
                           decide_again = outcome == Outcome::refused && !it.backfilled;
                       },
                       [&](const policy::Resize &it) {
                           lock.give_back();
                           changed = resize(view, it) || changed;
                       },
                       [&](const policy::Requeue &it) {
                           lock.give_back();
                           requeue(view, it);
                       },
                       [](const policy::Kill &it) { refuse("kill", it.id); },
                       [](const policy::Suspend &it) { refuse("suspend", it.id); },
                       [](const policy::Resume &it) { refuse("resume", it.id); },
                       [](const policy::Wait &) {},
                   },
                   action);
        if (decide_again)
            return true;
    }
    return changed;
}

// Under LockToAct.
Actor::Outcome Actor::start(const View &view, const policy::Start &start, Refusals &refusals) {
    const JobView *job = waiting_job(view, start.id.value);
    if (!job)
        return Outcome::nothing;
    const OpenGate gate(gate_);
    const int error =
        would_preempt(view, *job, start) ? ESLURM_NODES_BUSY : try_to_start(view, *job, start);
    if (!error)
        return Outcome::started;
    if (error == ESLURM_JOB_NOT_PENDING) // Slurm's own schedulers were faster, or it was cancelled
        return Outcome::nothing;
    Refusal &refusal = refusals[job->id] = {};
    if (start.backfilled)
        refusal.backfilled_at = view.now;
    if (error == ESLURM_FED_JOB_LOCK) // another cluster may start it, and it in any size
        return Outcome::refused;
    if (needs_expected_start(start, config_))
        refusal.expected = expected_start(view, *job);
    if (job->virtually_malleable)
        refusal.startable = largest_startable(view, *job, start);
    return Outcome::refused;
}

// For memory, say, where cores are free: a smaller size may do without, and preempt() comes later.
bool Actor::would_preempt(const View &view, const JobView &job, const policy::Start &start) const {
    return view.preemption && job.virtually_malleable &&
           vmall_prospect(StartRequest(view, job, start).get()) == VMALL_WOULD_PREEMPT;
}

// Slurm's error, 0 for none. Under LockToAct, with the gate open.
int Actor::try_to_start(const View &view, const JobView &job, const policy::Start &start) {
    const StartRequest request(view, job, start);
    std::uint32_t started = job.id;
    if (const int error = vmall_start_job(request.get(), &started)) {
        ++counters_.refusals_by_slurm;
        log_debug("Slurm does not start " + job_name(job.id) + ": " + vmall_error_text(error));
        return error;
    }
    ++counters_.starts;
    counters_.backfilled += start.backfilled;
    counters_.folded_starts += start.mpl > 1;
    after_start(start, started);
    return 0;
}

// Cores alone may not be what a job waits for that others are to be folded for.
bool Actor::folds_in_vain(const View &view, const std::vector<policy::Action> &actions,
                          Refusals &refusals) {
    std::set<policy::JobId> served;
    for (const policy::Action &action : actions)
        if (const auto *resize = std::get_if<policy::Resize>(&action);
            resize && resize->makes_room_for)
            served.insert(*resize->makes_room_for);
    for (const policy::JobId id : served) {
        const JobView *job = waiting_job(view, id.value);
        const LockToAct lock;
        const OpenGate gate(gate_);
        if (job && !starts_after_folds(view, ledger_, *job, actions, config_.policy.max_mpl)) {
            log_debug("nobody is folded for " + job_name(job->id) + ", which would not start");
            refusals[job->id] = {{}, expected_start(view, *job), {}};
            return true;
        }
    }
    return false;
}

void Actor::after_start(const policy::Start &start, JobNumber started) {
    const View view = look_at_job(started, config_.fold_gres);
    const JobView *job = running_job(view, started);
    if (!job)
        return;
    LedgerEntry &entry = ledger_.of(*job);
    entry.backfilled = start.backfilled;
    entry.window_end = start.window_end;
    log_info("started " + job_name(job->id) + " on " +
             std::to_string(policy::cores_of(job->allotment)) + " cores, " +
             std::to_string(job->tasks) + " processes" +
             (start.mpl > 1 ? ", folded, MPL " + std::to_string(start.mpl) : "") +
             (start.backfilled ? ", backfilled" : ""));
    if (!job->refusal.empty())
        log_info(job_name(job->id) + " " + job->refusal);
    if (job->virtually_malleable && !job->nodes_booting)
        resizer_.announce(view, *job);
}

void Actor::preempt(const View &view, const std::vector<policy::Action> &actions) {
    if (!view.preemption)
        return;
    held_up_since_ = held_up(view, actions);
    const auto has_waited = [&](const JobView &job) {
        const auto since = held_up_since_.find(job.id);
        return since != held_up_since_.end() &&
               view.now >= since->second + config_.resize_retry_interval;
    };
    int asked = 0;
    std::set<std::pair<std::string, std::string>> may_not;
    LockToActInARow lock;
    for (const JobView &job : view.queue) {
        // Whom it may preempt is a matter of these, and looked up among all jobs.
        const std::pair by(job.partition, job.qos);
        if (!has_waited(job) || may_not.count(by))
            continue;
        lock.take();
        if (!vmall_may_preempt(job.id)) {
            may_not.insert(by);
            continue;
        }
        const policy::Start start = smallest_start(job, 1);
        const OpenGate gate(gate_);
        const bool helps =
            vmall_prospect(StartRequest(view, job, start).get()) == VMALL_WOULD_PREEMPT;
        if (helps)
            try_to_start(view, job, start);
        if (helps || ++asked == highest_asked)
            return;
    }
}

// The virtually malleable ones, and since when.
Actor::Times Actor::held_up(const View &view, const std::vector<policy::Action> &actions) const {
    Times result;
    for (const policy::Action &action : actions)
        if (const auto *wait = std::get_if<policy::Wait>(&action);
            wait && others_hold_its_cores(*wait))
            if (const JobView *job = waiting_job(view, wait->id.value);
                job && job->virtually_malleable) {
                const auto known = held_up_since_.find(job->id);
                result[job->id] = known == held_up_since_.end() ? view.now : known->second;
            }
    return result;
}

void Actor::requeue(const View &view, const policy::Requeue &requeue) {
    const JobView *job = running_job(view, requeue.id.value);
    LedgerEntry *entry = ledger_.find(requeue.id.value);
    if (!job || !entry)
        return;
    const LockToAct lock;
    if (const int error = vmall_requeue_job(job->id)) {
        log_info("cannot requeue " + job_name(job->id) + ": " + vmall_error_text(error));
        entry->retry_at = view.now + config_.resize_retry_interval;
        return;
    }
    ++counters_.requeues;
    ++counters_.windows_expired;
    log_info("requeued " + job_name(job->id) + ", its window has expired");
}

bool Actor::resize(const View &view, const policy::Resize &resize) {
    const JobView *job = running_job(view, resize.id.value);
    if (!job || !job->virtually_malleable)
        return false;
    if (policy::cores_of(resize.target) > policy::cores_of(job->allotment)) {
        const LockToAct lock;
        return resizer_.unfold(*job, resize.target);
    }
    resizer_.fold(view, *job, resize.target);
    return false;
}

void Actor::tell_why(const View &view, const std::vector<policy::Action> &actions) {
    std::map<JobNumber, std::string> why;
    for (const policy::Action &action : actions)
        if (const auto *wait = std::get_if<policy::Wait>(&action))
            why[wait->id.value] = policy::in_words(wait->why);
    const LockToAct lock;
    for (const JobView &job : view.queue)
        if (const auto found = why.find(job.id); job.virtually_malleable && found != why.end())
            vmall_set_wait_reason(job.id, &job == &view.queue.front(), found->second.c_str());
}

} // namespace vmall::sched
