// SPDX-License-Identifier: GPL-2.0-or-later
//
// The limits of all jobs, once in a pass.
#include "plugins/sched_fjt/account/time_limits.hpp"

#include "plugins/sched_fjt/locks.hpp"
#include "plugins/sched_fjt/log.hpp"
#include "slurmglue/time_limits.h"

#include <algorithm>

namespace vmall::sched {

namespace {

constexpr policy::Seconds longest_plan = 365 * 24 * 3600;
constexpr policy::Seconds minute = 60;

int mpl_now(const JobView &job) {
    return mpl_on(job, job.allotment);
}

// A job whose nodes boot is going to start anew.
bool goes_on(const JobView &job) {
    return job.state == JobState::running && !job.configuring && !job.nodes_booting;
}

// The resizer notes what it does. What is left are resizes that it did not live to note, and nodes
// that a user gave back.
void follow(policy::Seconds now, const JobView &job, LedgerEntry &entry) {
    const policy::Seconds ran = time_run(job, now);
    const policy::Seconds since =
        std::clamp<policy::Seconds>(ran - (now - job.cores_since), 0, ran);
    if (entry.lost.mpl() != mpl_now(job))
        entry.lost.change(since, mpl_now(job));
}

} // namespace

RunTime run_time_of(policy::Seconds now, const JobView &job, const LedgerEntry &entry) {
    const policy::Seconds ran = time_run(job, now);
    return {ran, entry.lost.until(ran), entry.lost.mpl()};
}

std::optional<WorkLimit> limit_at(int mpl, policy::Seconds now, const JobView &job,
                                  const LedgerEntry &entry) {
    if (!job.limit_in_slurm)
        return std::nullopt;
    WorkLimit limit = entry.limit;
    RunTime time = run_time_of(now, job, entry);
    limit.see(job.limit_in_slurm, time);
    time.mpl = mpl;
    limit.extend(time);
    return limit;
}

bool TimeLimits::look(View &view) {
    jobs_.clear();
    steps_.clear();
    for (const auto &[id, job] : view.active)
        if (job.virtually_malleable && goes_on(job))
            look_at(view.now, job);
    look_at_ended(view);
    show_work(view);
    return !jobs_.empty() || !steps_.empty();
}

void TimeLimits::look_at(policy::Seconds now, const JobView &job) {
    const bool known = ledger_.find(job.id) || job.started >= controller_started_;
    LedgerEntry &entry = ledger_.of(job);
    follow(now, job, entry);
    const RunTime time = run_time_of(now, job, entry);
    if (!known)
        entry.limit.stand(job.limit_in_slurm, time);
    if (!job.limit_in_slurm)
        entry.limit = WorkLimit();
    else if (entry.limit.see(job.limit_in_slurm, time) || entry.limit_untold)
        jobs_.push_back({job.id, static_cast<std::uint32_t>(job.limit_in_slurm),
                         static_cast<std::uint32_t>(entry.limit.extend(time))});
    look_at_steps(time.ran, job, entry);
}

void TimeLimits::look_at_steps(policy::Seconds ran, const JobView &job, LedgerEntry &entry) {
    std::map<StepId, StepEntry> steps;
    for (const auto &[id, step] : job.step_limits) {
        const auto known = entry.steps.find(id);
        StepEntry &now = steps[id];
        now = known != entry.steps.end() ? known->second
                                         : StepEntry{{}, entry.lost.until(ran - step.ran)};
        const RunTime time = {step.ran, entry.lost.until(ran) - now.lost_before, entry.lost.mpl()};
        if (!now.limit.see(step.limit_in_slurm, time))
            continue;
        now.limit.extend(time);
        steps_.push_back({job.id, id, static_cast<std::uint32_t>(now.limit.granted())});
    }
    entry.steps = std::move(steps);
}

// A run that is over leaves its limit to the next one, which is not folded yet.
void TimeLimits::look_at_ended(View &view) {
    auto &extended = ledger_.extended();
    if (extended.empty())
        return;
    const LockToAct lock;
    for (auto ended = extended.begin(); ended != extended.end();) {
        const auto &[id, limit] = *ended;
        const bool waits =
            vmall_take_extension_back(id, static_cast<std::uint32_t>(limit.granted()),
                                      static_cast<std::uint32_t>(limit.asked()));
        for (JobView &job : view.queue)
            if (job.id == id && job.limit_in_slurm == limit.granted())
                job.time_limit = std::min(limit.asked() * minute, longest_plan);
        ended = waits ? std::next(ended) : extended.erase(ended);
    }
}

void TimeLimits::tell() {
    const LockToAct lock;
    for (const JobLimit &limit : jobs_) {
        const bool told = vmall_set_job_limit(limit.job, limit.from, limit.to);
        ledger_.find(limit.job)->limit_untold = !told;
        log_debug("the limit of " + job_name(limit.job) + " is " + std::to_string(limit.to) +
                  " seconds");
    }
    for (const StepLimit &limit : steps_)
        vmall_set_step_limit(limit.job, limit.step, limit.to);
}

void TimeLimits::show_work(View &view) const {
    for (auto &[id, job] : view.active)
        if (const LedgerEntry *entry = ledger_.find(id);
            entry && entry->limit.is_known() && job.limit_in_slurm)
            job.time_limit = std::min(entry->limit.work(), longest_plan);
}

} // namespace vmall::sched
