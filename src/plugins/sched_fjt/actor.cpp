// SPDX-License-Identifier: GPL-2.0-or-later
//
// Each kind of action, and folds that would be in vain.
#include "plugins/sched_fjt/actor.hpp"

#include "plugins/sched_fjt/log.hpp"
#include "plugins/sched_fjt/see/core_sets.hpp"
#include "plugins/sched_fjt/start/open_gate.hpp"
#include "plugins/sched_fjt/start/trial.hpp"
#include "policy/room/room.hpp"
#include "slurmglue/controller.h"
#include "slurmglue/job_start.h"

#include <set>
#include <string>
#include <variant>

namespace vmall::sched {

namespace {

template <typename... Handlers>
struct Overloaded : Handlers... {
    using Handlers::operator()...;
};
template <typename... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

// Where a node is shared out among all, a fold is for nobody alone.
Purpose purpose_of(common::Cause why, const std::optional<policy::JobId> &whom) {
    if (!whom || why == common::Cause::sharing)
        return {why};
    return {why, whom->value};
}

// vmall.conf does not accept window policies that ask for this.
void refuse(const char *action, policy::JobId id) {
    log_error(std::string("the policy wants to ") + action + " " + job_name(id.value) +
              ", which only vmsim does; nothing is done");
}

} // namespace

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
                           const Starter::Outcome outcome = starter_.start(view, it, refusals);
                           changed = changed || outcome != Starter::Outcome::nothing;
                           // One out of the queue's order only leaves the others more room.
                           decide_again = outcome == Starter::Outcome::refused && !it.backfilled;
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
        if (!job)
            continue;
        const LockToAct lock;
        const OpenGate gate(gate_, view, *job);
        if (!starts_after_folds(view, ledger_, *job, actions, config_.policy.max_mpl)) {
            log_debug("nobody is folded for " + job_name(job->id) + ", which would not start");
            refusals[job->id] = {{}, expected_start(view, *job), {}};
            return true;
        }
    }
    return false;
}

void Actor::requeue(const View &view, const policy::Requeue &requeue) {
    const JobView *job = running_job(view, requeue.id.value);
    LedgerEntry *entry = ledger_.find(requeue.id.value);
    if (!job || !entry)
        return;
    const LockToAct lock;
    if (const int error = vmall_requeue_job(job->id)) {
        log_info("cannot requeue " + job_name(job->id) + ": " + vmall_error_text(error));
        entry->target.rest_until(view.steady + config_.resize_retry_interval);
        return;
    }
    ++counters_.requeues;
    ++counters_.windows_expired;
    ledger_.tell(happening(wire::Event::requeued, view.now, *job, core_count(job->cores), {},
                           purpose_of(common::Cause::window, requeue.makes_room_for)));
    log_info("requeued " + job_name(job->id) + ", its window has expired");
}

bool Actor::resize(const View &view, const policy::Resize &resize) {
    const JobView *job = running_job(view, resize.id.value);
    if (!job || !job->virtually_malleable)
        return false;
    if (policy::cores_of(resize.target) > policy::cores_of(job->allotment)) {
        const LockToAct lock;
        return resizer_.unfold(*job, resize.target, resize.why);
    }
    resizer_.fold(view, *job, resize.target, purpose_of(resize.why, resize.makes_room_for));
    return false;
}

} // namespace vmall::sched
