// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who is held up, for how long, and whether Slurm would help.
#include "plugins/sched_fjt/start/preemption.hpp"

#include "plugins/sched_fjt/locks.hpp"
#include "plugins/sched_fjt/start/open_gate.hpp"
#include "plugins/sched_fjt/start/start_request.hpp"
#include "plugins/sched_fjt/start/trial.hpp"
#include "slurmglue/job_start.h"

#include <set>
#include <string>
#include <utility>
#include <variant>

namespace vmall::sched {

namespace {

bool others_hold_its_cores(const policy::Wait &wait) {
    return wait.why.kind == policy::Reason::Kind::cores ||
           wait.why.kind == policy::Reason::Kind::short_jobs;
}

// Whether Slurm would preempt others takes it long to tell on a large machine.
constexpr int highest_asked = 5;

} // namespace

void Preemption::preempt(const View &view, const std::vector<policy::Action> &actions) {
    if (!view.preemption)
        return;
    held_up_since_ = held_up(view, actions);
    const auto has_waited = [&](const JobView &job) {
        const auto since = held_up_since_.find(job.id);
        return since != held_up_since_.end() &&
               view.steady >= since->second + config_.resize_retry_interval;
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
        const OpenGate gate(gate_, view, job);
        const bool helps =
            vmall_prospect(StartRequest(view, job, start).get()) == VMALL_WOULD_PREEMPT;
        if (helps)
            starter_.ask(view, job, start, common::Cause::preemption);
        if (helps || ++asked == highest_asked)
            return;
    }
}

// The virtually malleable ones, and since when.
Preemption::Times Preemption::held_up(const View &view,
                                      const std::vector<policy::Action> &actions) const {
    Times result;
    for (const policy::Action &action : actions)
        if (const auto *wait = std::get_if<policy::Wait>(&action);
            wait && others_hold_its_cores(*wait))
            if (const JobView *job = waiting_job(view, wait->id.value);
                job && job->virtually_malleable) {
                const auto known = held_up_since_.find(job->id);
                result[job->id] = known == held_up_since_.end() ? view.steady : known->second;
            }
    return result;
}

} // namespace vmall::sched
