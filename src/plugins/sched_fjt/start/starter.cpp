// SPDX-License-Identifier: GPL-2.0-or-later
//
// A start, and what is learnt where Slurm refuses it.
#include "plugins/sched_fjt/start/starter.hpp"

#include "plugins/sched_fjt/log.hpp"
#include "plugins/sched_fjt/see/look.hpp"
#include "plugins/sched_fjt/start/open_gate.hpp"
#include "plugins/sched_fjt/start/start_request.hpp"
#include "plugins/sched_fjt/start/trial.hpp"
#include "policy/room/room.hpp"
#include "policy/scheduler.hpp"
#include "slurmglue/controller.h"
#include "slurmglue/job_start.h"

#include <slurm/slurm_errno.h>
#include <string>

namespace vmall::sched {

namespace {

// Slurm takes long to tell on a large machine, and EASY backfilling plans with the head only.
bool needs_expected_start(const policy::Start &refused, const config::Config &config) {
    return !refused.backfilled || policy::reserves_for_all(config.policy);
}

// A policy chooses nodes by their cores. Others may have what Slurm found missing there, GRES or
// memory; who is backfilled there would perhaps delay the head.
bool may_start_elsewhere(const JobView &job, const policy::Start &refused) {
    return job.virtually_malleable && !refused.backfilled && !refused.on.empty() &&
           !StartRequest::is_unequal(refused);
}

} // namespace

Starter::Outcome Starter::start(const View &view, const policy::Start &start, Refusals &refusals) {
    const JobView *job = waiting_job(view, start.id.value);
    if (!job)
        return Outcome::nothing;
    const OpenGate gate(gate_, view, *job);
    const auto why = start.backfilled ? common::Cause::backfill : common::Cause::turn;
    int error = ask_without_preemption(view, *job, start, why);
    if (error && error != ESLURM_JOB_NOT_PENDING && error != ESLURM_FED_JOB_LOCK &&
        may_start_elsewhere(*job, start)) {
        policy::Start elsewhere = start;
        elsewhere.on = {};
        error = ask_without_preemption(view, *job, elsewhere, why);
    }
    if (!error)
        return Outcome::started;
    if (error == ESLURM_JOB_NOT_PENDING) // Slurm's own schedulers were faster, or it was cancelled
        return Outcome::nothing;
    Refusal &refusal = refusals[job->id] = {};
    if (start.backfilled)
        refusal.backfilled_at = view.steady;
    if (error == ESLURM_FED_JOB_LOCK) // another cluster may start it, and it in any size
        return Outcome::refused;
    if (needs_expected_start(start, config_))
        refusal.expected = expected_start(view, *job);
    if (job->virtually_malleable)
        refusal.startable = largest_startable(view, *job, start);
    return Outcome::refused;
}

// For memory, say, where cores are free: a smaller size may do without, and preemption comes later.
bool Starter::would_preempt(const View &view, const JobView &job,
                            const policy::Start &start) const {
    return view.preemption && job.virtually_malleable &&
           vmall_prospect(StartRequest(view, job, start).get()) == VMALL_WOULD_PREEMPT;
}

int Starter::ask_without_preemption(const View &view, const JobView &job,
                                    const policy::Start &start, common::Cause why) {
    return would_preempt(view, job, start) ? ESLURM_NODES_BUSY : ask(view, job, start, why);
}

int Starter::ask(const View &view, const JobView &job, const policy::Start &start,
                 common::Cause why) {
    const StartRequest request(view, job, start);
    const CoreLimits limits(gate_, start);
    std::uint32_t started = job.id;
    if (const int error = vmall_start_job(request.get(), &started)) {
        ++counters_.refusals_by_slurm;
        log_debug("Slurm does not start " + job_name(job.id) + ": " + vmall_error_text(error));
        return error;
    }
    ++counters_.starts;
    counters_.backfilled += start.backfilled;
    counters_.folded_starts += start.mpl > 1;
    after_start(start, started, why);
    return 0;
}

void Starter::after_start(const policy::Start &start, JobNumber started, common::Cause why) {
    const View view = look_at_job(started, cores::rules_of(config_));
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
    ledger_.tell(happening(wire::Event::started, view.now, *job, 0, job->cores, {why}));
    if (!job->refusal.empty())
        log_info(job_name(job->id) + " " + job->refusal);
    if (job->virtually_malleable && !job->nodes_booting)
        resizer_.announce(view, *job);
}

} // namespace vmall::sched
