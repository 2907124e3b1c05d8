// SPDX-License-Identifier: GPL-2.0-or-later
//
// One simulation under way: what becomes of running jobs, by what is decided and by itself.
#include "policy/cost/work.hpp"
#include "policy/folding/folding.hpp"
#include "sim/engine/simulation.hpp"
#include "sim/engine/submission.hpp"
#include "sim/model/useful_share.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace vmall::sim {

namespace {

constexpr Milliseconds never = std::numeric_limits<Milliseconds>::max();

constexpr Milliseconds second = 1000;

Milliseconds in_milliseconds(policy::Seconds time) {
    return time < never / second ? time * second : never;
}

// Only virtually malleable jobs are folded. The node where they are folded deepest sets the pace.
Shape shape_of(const policy::RunningJob &job) {
    const int cores = total_cores(job.allotment);
    const bool may_be_folded = job.virtually_malleable && !job.malleable;
    return {job.processes, cores, may_be_folded ? policy::mpl_on(job, job.allotment) : 1};
}

int percent_of(double share) {
    return std::clamp(static_cast<int>(std::lround(100 * share)), 1, 100);
}

} // namespace

void Simulation::carry_out(const policy::Start &start) {
    const policy::WaitingJob waiting = cluster_.dequeue(start.id);
    policy::RunningJob job = started_job(waiting, start, cluster_.snapshot.now);
    job.resizable = job.virtually_malleable;
    Live live;
    live.index = start.id.value - 1;
    const Job &description = workload_.jobs[live.index];
    job.estimate = estimate_of(description);
    job.useful_percent = percent_of(useful_share(description, start.processes).value_or(1));
    job.expected_end = expected_end(description, job.started, 0, job.started);

    JobOutcome &result = outcome_.jobs[live.index];
    result.started = result.starts == 0 ? now_ : result.started;
    result.starts++;
    result.processes = start.processes;
    result.backfilled = start.backfilled;

    live.work_left = static_cast<double>(description.runtime);
    live.limit_left = description.time_limit > 0 ? in_milliseconds(description.time_limit) : never;
    live.earlier_core_milliseconds = result.core_milliseconds;
    set_going(std::move(job), live);
}

void Simulation::set_going(policy::RunningJob job, Live live) {
    live.since = now_;
    live.start_stamp = ++last_stamp_;
    const auto window_end = job.window_end;
    const std::size_t index = cluster_.add(std::move(job), live);
    take_shape(index);
    if (window_end)
        look_again(index, *window_end);
}

void Simulation::carry_out(const policy::Resize &resize) {
    const std::size_t index = cluster_.find_running(resize.id);
    policy::RunningJob &job = cluster_.snapshot.running[index];
    Live &live = cluster_.live[index];
    JobOutcome &result = outcome_.jobs[live.index];
    const bool shrinks = total_cores(resize.target) < total_cores(job.allotment);
    (shrinks ? result.folds : result.unfolds)++;
    result.expiries += shrinks && job.backfilled;

    bring_up_to_date(index);
    if (cluster_.resize(index, resize.target)) {
        live.confirm_stamp = ++last_stamp_;
        events_.push(
            {now_ + options_.resize_latency, Event::Kind::confirm, live.index, live.confirm_stamp});
    } else {
        take_shape(index);
    }
}

void Simulation::carry_out(const policy::Wait &wait) {
    if (wait.promise)
        cluster_.note_promise(wait.id, *wait.promise);
}

void Simulation::finish(std::size_t index) {
    bring_up_to_date(index);
    const Live &live = cluster_.live[index];
    JobOutcome &result = outcome_.jobs[live.index];
    result.ended = now_;
    result.end = live.ends_killed ? End::killed : End::completed;
    if (live.ends_killed)
        throw_work_away(index);
    cluster_.remove(index);
    progress_.jobs_ended.fetch_add(1, std::memory_order_relaxed);
}

// A resize or a leave is done.
void Simulation::confirm(std::size_t index) {
    bring_up_to_date(index);
    if (cluster_.snapshot.running[index].ending) {
        leave(index);
        return;
    }
    cluster_.confirm(index);
    take_shape(index);
    note_fold(index);
}

void Simulation::note_fold(std::size_t index) {
    Live &live = cluster_.live[index];
    live.resize_loss.note_fold(time_run(index), options_.policy.max_resize_loss);
    if (const Milliseconds wait = until_next_fold(index); wait > 0 && wait < never)
        events_.push({now_ + wait, Event::Kind::look, live.index, live.start_stamp});
}

Milliseconds Simulation::time_run(std::size_t index) const {
    return now_ - in_milliseconds(cluster_.snapshot.running[index].started);
}

Milliseconds Simulation::until_next_fold(std::size_t index) const {
    return cluster_.live[index].resize_loss.until_next_fold(time_run(index),
                                                            options_.policy.max_resize_loss);
}

void Simulation::look(std::size_t index) {
    note_lost_time(index);
    look_when_estimate_passes(index);
}

void Simulation::measure_speedup(std::size_t index) {
    Live &live = cluster_.live[index];
    remember(cluster_.snapshot.running[index].measured,
             measure(options_.measuring, workload_.jobs[live.index], live.shape,
                     options_.folding_cost, noise_));
    measure_later(index);
}

void Simulation::measure_later(std::size_t index) {
    Live &live = cluster_.live[index];
    const double work =
        options_.measuring.period * static_cast<double>(workload_.jobs[live.index].runtime);
    live.measure_stamp = ++last_stamp_;
    events_.push({now_ + std::max<Milliseconds>(time_for(work, live.rate), 1), Event::Kind::measure,
                  live.index, live.measure_stamp});
}

// Unless it has been killed by then.
void Simulation::look_again(std::size_t index, policy::Seconds time) {
    const Live &live = cluster_.live[index];
    if (time > cluster_.snapshot.now && in_milliseconds(time) < live.kill_at)
        events_.push({in_milliseconds(time), Event::Kind::look, live.index, live.start_stamp});
}

// Or its limit, if that goes by then. If it stays as deep as it is.
void Simulation::look_when_estimate_passes(std::size_t index) {
    Live &live = cluster_.live[index];
    const Milliseconds end = in_milliseconds(cluster_.snapshot.running[index].expected_end);
    if (end == never || end <= now_)
        return;
    const Milliseconds time = now_ + policy::time_for_work(end - now_, live.shape.mpl);
    live.estimate_stamp = ++last_stamp_;
    if (time < live.kill_at)
        events_.push({time, Event::Kind::look, live.index, live.estimate_stamp});
}

void Simulation::bring_up_to_date(std::size_t index) {
    Live &live = cluster_.live[index];
    JobOutcome &result = outcome_.jobs[live.index];
    const Milliseconds passed = now_ - live.since;
    live.work_left -= static_cast<double>(passed) * live.rate;
    if (passed > 0 && live.shape.mpl > 1)
        folding_cost_.note(
            cluster_.snapshot.running[index].id,
            static_cast<int>(std::lround(100 * options_.folding_cost.at(live.shape.mpl))),
            cluster_.snapshot.now);
    live.since = now_;
    result.held += passed;
    result.core_milliseconds += live.shape.cores * passed;
    live.lost += policy::lost_in_time(passed, live.shape.mpl);
    if (live.limit_left < never)
        live.limit_left -= policy::work_in_time(passed, live.shape.mpl);
}

void Simulation::note_likely_work() {
    for (policy::RunningJob &job : cluster_.snapshot.running) {
        const policy::Seconds now = cluster_.snapshot.now;
        if (const policy::UserId user = users_[job.id.value - 1])
            overruns_.note({user, job.id, job.estimate, now - job.started - job.lost, now});
    }
    for (policy::RunningJob &job : cluster_.snapshot.running)
        job.likely_work = likely_work(job.id, job.estimate);
    for (policy::WaitingJob &job : cluster_.snapshot.waiting)
        job.likely_work = likely_work(job.id, job.estimate);
}

policy::Seconds Simulation::likely_work(policy::JobId id, policy::Seconds estimate) const {
    return overruns_.likely_work(users_[id.value - 1], estimate, cluster_.snapshot.now);
}

void Simulation::note_lost_time() {
    for (std::size_t index = 0; index < cluster_.live.size(); index++)
        note_lost_time(index);
}

void Simulation::note_lost_time(std::size_t index) {
    policy::RunningJob &job = cluster_.snapshot.running[index];
    const Live &live = cluster_.live[index];
    job.max_mpl = max_mpl(index);
    const auto lost = live.lost + policy::lost_in_time(now_ - live.since, live.shape.mpl);
    if (lost / second == job.lost && job.expected_end > cluster_.snapshot.now)
        return;
    job.lost = lost / second;
    job.expected_end =
        expected_end(workload_.jobs[live.index], job.started, job.lost, cluster_.snapshot.now);
}

int Simulation::max_mpl(std::size_t index) const {
    const Live &live = cluster_.live[index];
    const int within_limit = options_.limit_extension && live.limit_left < never
                                 ? mpl_within_limit(live)
                                 : policy::highest_mpl;
    return until_next_fold(index) > 0 ? std::min(within_limit, live.shape.mpl) : within_limit;
}

// At which its work ends before its limit and what may be added to that.
int Simulation::mpl_within_limit(const Live &live) const {
    const Milliseconds passed = now_ - live.since;
    const auto left = live.limit_left - policy::work_in_time(passed, live.shape.mpl);
    const auto lost = live.lost + policy::lost_in_time(passed, live.shape.mpl);
    return policy::deepest_mpl(left, left + in_milliseconds(*options_.limit_extension) - lost);
}

void Simulation::take_shape(std::size_t index) {
    Live &live = cluster_.live[index];
    const Job &job = workload_.jobs[live.index];
    live.shape = shape_of(cluster_.snapshot.running[index]);
    live.rate = work_rate(job, live.shape, options_.folding_cost);
    if (scheduler_.goes_by_measurements() && measures(options_.measuring, job)) {
        live.rate /= 1 + options_.measuring.overhead;
        measure_later(index);
    }
    if (now_ > live.shaped && live.shaped >= 0)
        live.work_left += static_cast<double>(options_.resize_cost) * live.rate;
    live.shaped = now_;
    if (options_.kill_at_time_limit && live.limit_left < never)
        live.kill_at = now_ + policy::time_for_work(live.limit_left, live.shape.mpl);
    look_when_estimate_passes(index);
    const Milliseconds completion = now_ + time_for(std::max(live.work_left, 0.0), live.rate);
    live.ends_killed = live.kill_at < completion;
    live.end_stamp = ++last_stamp_;
    events_.push(
        {std::min(live.kill_at, completion), Event::Kind::end, live.index, live.end_stamp});
    if (options_.record_allotments)
        outcome_.jobs[live.index].allotments.push_back({now_, live.shape.cores, live.shape.mpl});
}

void Simulation::throw_work_away(std::size_t index) {
    const Live &live = cluster_.live[index];
    JobOutcome &result = outcome_.jobs[live.index];
    result.wasted += result.core_milliseconds - live.earlier_core_milliseconds;
}

} // namespace vmall::sim
