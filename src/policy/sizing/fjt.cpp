// SPDX-License-Identifier: GPL-2.0-or-later
//
// Folding by job type (FJT): thesis ch. 5 with figure 5.5, FJT paper s. 3.
#include "policy/sizing/fjt.hpp"

#include "policy/folding/folding.hpp"
#include "policy/folding/mpl_steps.hpp"
#include "policy/reasons.hpp"

#include <algorithm>

namespace vmall::policy {

namespace {

bool is_vm(JobClass job_class, const WaitingJob &job) {
    return size_is_open(job) && job.job_class == job_class;
}

bool is_vm(JobClass job_class, const Running &running) {
    return running.job->virtually_malleable && running.job->job_class == job_class &&
           !running.ending;
}

// The queued jobs that free cores are divided among: the long ones, for they can shrink and grow
// later; all if there is none.
int sharers(const Pass &pass) {
    const auto queued = [&](auto predicate) {
        return static_cast<int>(std::count_if(pass.queue.begin(), pass.queue.end(), predicate));
    };
    const int long_jobs = queued([](const auto *job) { return is_vm(JobClass::long_job, *job); });
    return long_jobs > 0 ? long_jobs : queued([](const auto *job) { return size_is_open(*job); });
}

// The first job with its share of the room.
std::optional<Placement> sized(const Pass &pass, const Room &room, int max_mpl) {
    const WaitingJob &first = pass.head();
    const Usable own = usable(first, pass.nodes, room);
    return place_within(pass, first, own, cores_of(own) / sharers(pass), max_mpl);
}

// Running long jobs on nodes of interest to the first job that are folded less deep than to
// `below_mpl`.
std::vector<Running *> foldable_long_jobs(Pass &pass, int below_mpl) {
    std::vector<Running *> result;
    for (auto &running : pass.running) {
        const RunningJob &job = *running.job;
        if (is_vm(JobClass::long_job, running) && can_resize(running) &&
            mpl_on(job, job.allotment) < below_mpl && shares_nodes(job, pass.head()))
            result.push_back(&running);
    }
    return result;
}

// Never folded itself. Gets what folding the long jobs as deep as allowed would leave for it
// (thesis figure 5.2, alternative 3), but they are folded no deeper than that needs.
Verdict consider_short(Pass &pass) {
    const WaitingJob &first = pass.head();
    if (auto placement = sized(pass, pass.free, 1))
        return *std::move(placement);
    if (sized(pass, pass.free_soon(), 1))
        return waits_for_coming_cores(1);
    const int max_mpl = pass.settings.max_mpl;
    const auto long_jobs = foldable_long_jobs(pass, max_mpl);
    Room reachable = pass.free_soon();
    for (const auto *running : long_jobs) {
        const RunningJob &job = *running->job;
        reachable += released(job.allotment, folded_to(job, max_mpl));
    }
    const auto wanted = sized(pass, reachable, 1);
    const auto enough = [&](const Room &room) {
        const Usable own = usable(first, pass.nodes, room);
        return place(first, wanted->processes, 1, pass.nodes, own).has_value();
    };
    if (wanted && fold_evenly(pass, long_jobs, max_mpl, enough))
        return waits_for_coming_cores(1);
    return Delay{reasons::cores(first)};
}

// If it is to start folded.
int deepest_start(const Pass &pass) {
    const WaitingJob &first = pass.head();
    return first.whole_nodes ? 1 : std::min(pass.settings.max_mpl, first.max_mpl);
}

} // namespace

Fjt::Circumstances Fjt::look_around(const Pass &pass) {
    const WaitingJob &first = pass.head();
    Circumstances result;
    result.other_long_queued =
        std::any_of(pass.queue.begin() + 1, pass.queue.end(),
                    [](const auto *job) { return is_vm(JobClass::long_job, *job); });
    for (const auto &running : pass.running) {
        if (is_vm(JobClass::short_job, running) && arrived_before(*running.job, first)) {
            result.short_running = true;
            result.short_jobs_end = std::max(result.short_jobs_end, expected_end(pass, running));
        }
        if (is_vm(JobClass::long_job, running) &&
            mpl_on(*running.job, allotment_to_come(running)) > 1)
            result.long_folded = true;
    }
    return result;
}

Verdict Fjt::consider_long(Pass &pass) const {
    const WaitingJob &first = pass.head();
    const auto around = look_around(pass);
    const int mpl = can_grow_later(around) ? deepest_start(pass) : 1;
    if (waits_for_short_jobs(around))
        return Delay{reasons::short_jobs, around.short_jobs_end, mpl};
    if (auto placement = sized(pass, pass.free, mpl))
        return *std::move(placement);
    const auto enough = [&](const Room &room) { return sized(pass, room, mpl).has_value(); };
    const auto unfolded_jobs = foldable_long_jobs(pass, 2);
    if (enough(pass.free_soon()) || fold_evenly(pass, unfolded_jobs, pass.settings.max_mpl, enough))
        return waits_for_coming_cores(mpl);
    return Delay{reasons::cores(first), 0, mpl};
}

Verdict Fjt::consider_first(Pass &pass) const {
    return pass.head().job_class == JobClass::short_job ? consider_short(pass)
                                                        : consider_long(pass);
}

std::unique_ptr<SizingPolicy> make_fjt() {
    return std::make_unique<Fjt>();
}

} // namespace vmall::policy
