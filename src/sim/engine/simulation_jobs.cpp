// SPDX-License-Identifier: GPL-2.0-or-later
//
// One simulation under way: what becomes of running jobs, by what is decided and by itself.
#include "policy/folding.hpp"
#include "sim/engine/simulation.hpp"
#include "sim/engine/submission.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace vmall::sim {

namespace {

constexpr Milliseconds never = std::numeric_limits<Milliseconds>::max();

constexpr Milliseconds second = 1000;

Milliseconds in_milliseconds(policy::Seconds time) {
    return time < never / second ? time * second : never;
}

// Only virtually malleable jobs are folded, and those have equally many processes on each node.
Shape shape_of(const policy::RunningJob &job) {
    const int cores = total_cores(job.allotment);
    const bool may_be_folded = job.virtually_malleable && !job.malleable;
    return {job.processes, cores, may_be_folded ? policy::mpl_on(job, job.allotment) : 1};
}

// Without folding it had them.
int missing_cores(const policy::RunningJob &job, const Shape &shape) {
    return std::max(0, job.processes * job.cores_per_process - shape.cores);
}

policy::RunningJob running_job(const policy::WaitingJob &waiting, const policy::Start &start) {
    policy::RunningJob job;
    job.id = waiting.id;
    job.arrival = waiting.arrival;
    job.job_class = waiting.job_class;
    job.virtually_malleable = job.resizable = waiting.virtually_malleable;
    job.malleable = waiting.malleable;
    job.processes = start.processes;
    job.cores_per_process = waiting.cores_per_process;
    job.backfilled = start.backfilled;
    job.window_end = start.window_end;
    return job;
}

} // namespace

void Simulation::carry_out(const policy::Start &start) {
    const policy::WaitingJob waiting = cluster_.dequeue(start.id);
    policy::RunningJob job = running_job(waiting, start);
    Live live;
    live.place = start.id.value - 1;
    const Job &description = workload_.jobs[live.place];
    job.allotment = start.counted_on;
    job.started = cluster_.snapshot.now;
    job.expected_end = expected_end(description, job.started, job.started);

    JobOutcome &result = outcome_.jobs[live.place];
    result.started = result.starts == 0 ? now_ : result.started;
    result.starts++;
    result.processes = start.processes;
    result.backfilled = start.backfilled;

    live.work_left = static_cast<double>(description.runtime);
    live.kill_at = options_.kill_at_time_limit && description.time_limit > 0
                       ? now_ + in_milliseconds(description.time_limit)
                       : never;
    live.earlier_core_milliseconds = result.core_milliseconds;
    set_going(std::move(job), live);
}

void Simulation::set_going(policy::RunningJob job, Live live) {
    live.since = now_;
    live.start_stamp = ++last_stamp_;
    const auto expected = job.expected_end;
    const auto window_end = job.window_end;
    const std::size_t place = cluster_.add(std::move(job), live);
    take_shape(place);
    look_again(place, expected);
    if (window_end)
        look_again(place, *window_end);
}

void Simulation::carry_out(const policy::Resize &resize) {
    const std::size_t place = cluster_.find_running(resize.id);
    policy::RunningJob &job = cluster_.snapshot.running[place];
    Live &live = cluster_.live[place];
    JobOutcome &result = outcome_.jobs[live.place];
    const bool shrinks = total_cores(resize.target) < total_cores(job.allotment);
    (shrinks ? result.folds : result.unfolds)++;
    result.expiries += shrinks && job.backfilled;

    bring_up_to_date(place);
    if (cluster_.resize(place, resize.target)) {
        live.settle_stamp = ++last_stamp_;
        events_.push(
            {now_ + options_.resize_latency, Event::Kind::settle, live.place, live.settle_stamp});
    } else {
        take_shape(place);
    }
}

void Simulation::carry_out(const policy::Wait &wait) {
    if (wait.promise)
        cluster_.note_promise(wait.id, *wait.promise);
}

void Simulation::finish(std::size_t place) {
    bring_up_to_date(place);
    const Live &live = cluster_.live[place];
    JobOutcome &result = outcome_.jobs[live.place];
    result.ended = now_;
    result.end = live.ends_killed ? End::killed : End::completed;
    if (live.ends_killed)
        throw_work_away(place);
    cluster_.remove(place);
    progress_.jobs_ended.fetch_add(1, std::memory_order_relaxed);
}

// A resize or a leave is done.
void Simulation::settle(std::size_t place) {
    bring_up_to_date(place);
    if (cluster_.snapshot.running[place].ending) {
        leave(place);
        return;
    }
    cluster_.settle(place);
    take_shape(place);
}

void Simulation::look(std::size_t place) {
    policy::RunningJob &job = cluster_.snapshot.running[place];
    if (job.expected_end <= cluster_.snapshot.now) {
        job.expected_end = expected_end(workload_.jobs[cluster_.live[place].place], job.started,
                                        cluster_.snapshot.now);
        look_again(place, job.expected_end);
    }
}

void Simulation::measure_speedup(std::size_t place) {
    Live &live = cluster_.live[place];
    remember(cluster_.snapshot.running[place].measured,
             measure(options_.measuring, workload_.jobs[live.place], live.shape.cores, noise_));
    measure_later(place);
}

void Simulation::measure_later(std::size_t place) {
    Live &live = cluster_.live[place];
    const double work =
        options_.measuring.period * static_cast<double>(workload_.jobs[live.place].runtime);
    live.measure_stamp = ++last_stamp_;
    events_.push({now_ + std::max<Milliseconds>(time_for(work, live.rate), 1), Event::Kind::measure,
                  live.place, live.measure_stamp});
}

// Unless it has been killed by then.
void Simulation::look_again(std::size_t place, policy::Seconds time) {
    const Live &live = cluster_.live[place];
    if (time > cluster_.snapshot.now && in_milliseconds(time) < live.kill_at)
        events_.push({in_milliseconds(time), Event::Kind::look, live.place, live.start_stamp});
}

void Simulation::bring_up_to_date(std::size_t place) {
    Live &live = cluster_.live[place];
    JobOutcome &result = outcome_.jobs[live.place];
    const Milliseconds passed = now_ - live.since;
    live.work_left -= static_cast<double>(passed) * live.rate;
    live.since = now_;
    result.held += passed;
    result.core_milliseconds += live.shape.cores * passed;
    live.missing_core_milliseconds +=
        missing_cores(cluster_.snapshot.running[place], live.shape) * passed;
}

void Simulation::note_lost_time() {
    for (std::size_t place = 0; place < cluster_.live.size(); place++) {
        policy::RunningJob &job = cluster_.snapshot.running[place];
        const Live &live = cluster_.live[place];
        const auto missing =
            live.missing_core_milliseconds + missing_cores(job, live.shape) * (now_ - live.since);
        job.lost = missing / (job.processes * job.cores_per_process) / second;
    }
}

void Simulation::take_shape(std::size_t place) {
    Live &live = cluster_.live[place];
    const Job &job = workload_.jobs[live.place];
    live.shape = shape_of(cluster_.snapshot.running[place]);
    live.rate = work_rate(job, live.shape, options_.folding_cost);
    if (scheduler_.goes_by_measurements() && measures(options_.measuring, job)) {
        live.rate /= 1 + options_.measuring.overhead;
        measure_later(place);
    }
    if (now_ > live.shaped && live.shaped >= 0)
        live.work_left += static_cast<double>(options_.resize_cost) * live.rate;
    live.shaped = now_;
    const Milliseconds completion = now_ + time_for(std::max(live.work_left, 0.0), live.rate);
    live.ends_killed = live.kill_at < completion;
    live.end_stamp = ++last_stamp_;
    events_.push(
        {std::min(live.kill_at, completion), Event::Kind::end, live.place, live.end_stamp});
    if (options_.record_allotments)
        outcome_.jobs[live.place].allotments.push_back({now_, live.shape.cores, live.shape.mpl});
}

void Simulation::throw_work_away(std::size_t place) {
    const Live &live = cluster_.live[place];
    JobOutcome &result = outcome_.jobs[live.place];
    result.wasted += result.core_milliseconds - live.earlier_core_milliseconds;
}

} // namespace vmall::sim
