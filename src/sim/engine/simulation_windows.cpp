// SPDX-License-Identifier: GPL-2.0-or-later
//
// One simulation under way: jobs that give back all of their cores because their window has
// expired.
#include "sim/engine/simulation.hpp"
#include "sim/engine/submission.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace vmall::sim {

void Simulation::carry_out(const policy::Requeue &requeue) {
    begin_to_leave(requeue.id, Leave::requeued);
}

void Simulation::carry_out(const policy::Kill &kill) {
    begin_to_leave(kill.id, Leave::killed);
}

void Simulation::carry_out(const policy::Suspend &suspend) {
    begin_to_leave(suspend.id, Leave::suspended);
}

void Simulation::begin_to_leave(policy::JobId id, Leave leave) {
    const std::size_t index = cluster_.find_running(id);
    Live &live = cluster_.live[index];
    outcome_.jobs[live.index].expiries++;
    bring_up_to_date(index);
    cluster_.snapshot.running[index].ending = true;
    live.leave = leave;
    live.confirm_stamp = ++last_stamp_;
    events_.push(
        {now_ + options_.resize_latency, Event::Kind::confirm, live.index, live.confirm_stamp});
}

void Simulation::leave(std::size_t index) {
    const Live live = cluster_.live[index];
    JobOutcome &result = outcome_.jobs[live.index];
    if (live.leave == Leave::killed) {
        cluster_.live[index].ends_killed = true;
        finish(index);
        return;
    }
    if (options_.record_allotments)
        result.allotments.push_back({now_, 0, 1});
    if (live.leave == Leave::suspended) {
        put_aside(index);
        return;
    }
    throw_work_away(index);
    cluster_.remove(index);
    enqueue(live.index);
}

void Simulation::put_aside(std::size_t index) {
    policy::RunningJob &job = cluster_.snapshot.running[index];
    Live &live = cluster_.live[index];
    note_lost_time(index);
    job.ending = false;
    enqueue(suspended_job(workload_.jobs[live.index], job, cluster_.snapshot.now));
    live.suspended_at = now_;
    suspended_.emplace(live.index, Suspended{job, live});
    cluster_.remove(index);
}

// The clocks of its estimate and its time limit stood still meanwhile.
void Simulation::carry_out(const policy::Resume &resume) {
    cluster_.dequeue(resume.id);
    const auto found = suspended_.find(resume.id.value - 1);
    if (found == suspended_.end()) {
        throw std::logic_error("the policy resumes job " + std::to_string(resume.id.value) +
                               ", which is not suspended");
    }
    auto [job, live] = std::move(found->second);
    suspended_.erase(found);
    job.started += now_ / 1000 - live.suspended_at / 1000;
    job.expected_end =
        expected_end(workload_.jobs[live.index], job.started, job.lost, cluster_.snapshot.now);
    job.backfilled = resume.backfilled;
    job.window_end = resume.window_end;
    set_going(std::move(job), live);
}

} // namespace vmall::sim
