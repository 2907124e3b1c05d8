// SPDX-License-Identifier: GPL-2.0-or-later
//
// A machine of one node that carries decisions out in discrete time, for golden timelines.
#include "toy_machine.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <variant>

using namespace vmall::policy;

namespace {

constexpr Seconds an_hour = 3600;

int cores_of(const RunningJob &job) {
    return job.allotment.front().cores;
}

int mpl_of(const RunningJob &job) {
    return (job.processes + cores_of(job) - 1) / cores_of(job);
}

template <class Jobs, class Predicate>
void remove_if(Jobs &jobs, Predicate predicate) {
    jobs.erase(std::remove_if(jobs.begin(), jobs.end(), predicate), jobs.end());
}

} // namespace

ToyMachine::ToyMachine(int cores, const Settings &settings_) : settings(settings_) {
    state.nodes = {{cores, cores}};
}

std::string ToyMachine::run(const std::vector<ToyJob> &jobs) {
    for (const auto &job : jobs) {
        progress[job.id] = {&job, 10 * job.work};
        state.waiting.push_back(submission(job));
    }
    for (; !(state.waiting.empty() && state.running.empty()); state.now++) {
        if (state.now > an_hour)
            throw std::runtime_error("jobs did not end:\n" + timeline);
        confirm();
        end_finished_jobs();
        while (decide()) {
        }
        work();
    }
    return timeline;
}

// What was decided in the second before.
void ToyMachine::confirm() {
    for (auto &job : state.running) {
        if (job.ending) {
            state.nodes.front().free += cores_of(job);
            progress[job.id.value].tenths_of_work_left = 10 * progress[job.id.value].job->work;
            state.waiting.push_back(submission(*progress[job.id.value].job));
            report(job.id.value, "requeued");
        } else if (job.target) {
            const int before = cores_of(job);
            job.allotment = *job.target;
            job.target.reset();
            state.nodes.front().free += std::max(before - cores_of(job), 0);
            report_cores(job);
        }
    }
    remove_if(
        state.running, [](const RunningJob &job) { return job.ending; });
    std::sort(state.waiting.begin(), state.waiting.end(), [](const auto &left, const auto &right) {
        return std::tie(left.arrival, left.id) < std::tie(right.arrival, right.id);
    });
}

void ToyMachine::end_finished_jobs() {
    remove_if(
        state.running,
        [&](RunningJob &job) {
            const auto &[description, left] = progress[job.id.value];
            if (left > 0) {
                if (job.expected_end <= state.now)
                    job.expected_end = job.started + description->time_limit;
                return false;
            }
            int held = cores_of(job);
            if (job.target)
                held = std::max(held, job.target->front().cores);
            state.nodes.front().free += held;
            report(job.id.value, "ended");
            return true;
        });
}

// Answers whether a job was started, so that the situation is another one now.
bool ToyMachine::decide() {
    const std::size_t waiting_before = state.waiting.size();
    for (const auto &action : vmall::policy::decide(state, settings))
        std::visit([&](const auto &one) { carry_out(one); }, action);
    return state.waiting.size() < waiting_before;
}

void ToyMachine::carry_out(const Start &start) {
    const auto waiting = std::find_if(state.waiting.begin(), state.waiting.end(),
                                      [&](const auto &job) { return job.id == start.id; });
    if (start.cores_per_node > state.nodes.front().free)
        throw std::runtime_error("started on cores that are not free");
    RunningJob job;
    job.id = start.id;
    job.arrival = waiting->arrival;
    job.job_class = waiting->job_class;
    job.virtually_malleable = job.resizable = true;
    job.processes = start.processes;
    job.allotment = {{{0}, start.cores_per_node}};
    job.started = state.now;
    job.expected_end = state.now + waiting->estimate;
    job.backfilled = start.backfilled;
    job.window_end = start.window_end;
    state.nodes.front().free -= start.cores_per_node;
    state.waiting.erase(waiting);
    report_cores(job);
    state.running.push_back(std::move(job));
    std::sort(state.running.begin(), state.running.end(),
              [](const auto &left, const auto &right) { return left.id < right.id; });
}

// Cores to grow into are taken at once, those given up are free once that is confirmed.
void ToyMachine::carry_out(const Resize &resize) {
    auto &job = running(resize.id);
    const int more = resize.target.front().cores - cores_of(job);
    if (more > state.nodes.front().free)
        throw std::runtime_error("grows into cores that are not free");
    state.nodes.front().free -= std::max(more, 0);
    job.target = resize.target;
}

void ToyMachine::carry_out(const Requeue &requeue) {
    running(requeue.id).ending = true;
}

void ToyMachine::work() {
    for (const auto &job : state.running) {
        const int tenths_for_each_core = mpl_of(job) > 1 ? 9 : 10;
        progress[job.id.value].tenths_of_work_left -= tenths_for_each_core * cores_of(job);
    }
}

WaitingJob ToyMachine::submission(const ToyJob &job) const {
    WaitingJob waiting;
    waiting.id = {job.id};
    waiting.job_class = job.job_class;
    waiting.virtually_malleable = true;
    waiting.sizes = job.sizes;
    waiting.estimate = job.estimate;
    waiting.time_limit = job.time_limit;
    return waiting;
}

RunningJob &ToyMachine::running(JobId id) {
    return *std::find_if(
        state.running.begin(), state.running.end(), [&](const auto &job) { return job.id == id; });
}

void ToyMachine::report(std::uint32_t job, const std::string &what) {
    timeline += std::to_string(state.now) + " job" + std::to_string(job) + ' ' + what + '\n';
}

void ToyMachine::report_cores(const RunningJob &job) {
    report(job.id.value, std::to_string(cores_of(job)) + ' ' + std::to_string(mpl_of(job)));
}
