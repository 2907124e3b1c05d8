// SPDX-License-Identifier: GPL-2.0-or-later
//
// One simulation under way: the clock, and what happens by itself.
#include "sim/engine/simulation.hpp"

#include "policy/cost/work.hpp"
#include "policy/normalise.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace vmall::sim {

namespace {

constexpr Milliseconds never = std::numeric_limits<Milliseconds>::max();

Extent extent_of(const Machine &machine, const Memory &memory) {
    const auto &cores = machine.cores;
    if (cores.empty() || *std::min_element(cores.begin(), cores.end()) < 1)
        throw std::invalid_argument("a machine needs nodes, and each node cores");
    return {static_cast<int>(cores.size()), *std::max_element(cores.begin(), cores.end()), memory};
}

bool comes_before(const Job &left, const Job &right) {
    return left.submit < right.submit;
}

const Workload &checked(const Workload &workload) {
    if (!std::is_sorted(workload.jobs.begin(), workload.jobs.end(), comes_before))
        throw std::invalid_argument(workload.source + ": jobs are not in the order of submission");
    return workload;
}

std::vector<policy::UserId> users_of(const Workload &workload) {
    std::map<std::string, policy::UserId> numbers = {{"", 0}};
    std::vector<policy::UserId> users;
    for (const Job &job : workload.jobs)
        users.push_back(numbers.emplace(job.user, numbers.size()).first->second);
    return users;
}

} // namespace

Simulation::Simulation(const Workload &workload, const Machine &machine, const Options &options,
                       Progress &progress)
    : workload_(checked(workload)), options_(options), progress_(progress),
      extent_(extent_of(machine, options.memory)), scheduler_(options_.policy),
      users_(users_of(workload_)), cluster_(machine.cores, options_.memory.per_core),
      noise_(options_.measuring.seed) {
    outcome_.cores = cluster_.cores;
    outcome_.jobs.resize(workload_.jobs.size());
    for (std::size_t index = 0; index < workload_.jobs.size(); index++)
        outcome_.jobs[index].job = &workload_.jobs[index];
}

Outcome Simulation::run() {
    while (advance()) {
        if (progress_.stop)
            throw Stopped();
        if (!let_things_happen())
            continue;
        // Every round starts, folds or requeues a job; some may do so in turn, but not for ever.
        const std::size_t most_rounds =
            1000 + 100 * (cluster_.snapshot.waiting.size() + cluster_.snapshot.running.size());
        for (std::size_t round = 0; decide(); round++) {
            if (round == most_rounds) {
                throw std::logic_error("the policy does not come to rest at " +
                                       std::to_string(now_) + " ms");
            }
            let_things_happen();
        }
    }
    return std::move(outcome_);
}

bool Simulation::advance() {
    const bool more_arrivals = arrived_ < workload_.jobs.size();
    if (!more_arrivals && events_.empty())
        return false;
    now_ = std::min(more_arrivals ? workload_.jobs[arrived_].submit : never,
                    events_.empty() ? never : events_.next().time);
    cluster_.snapshot.now = now_ / 1000;
    return true;
}

bool Simulation::let_things_happen() {
    bool ask = false;
    while (!events_.empty() && events_.next().time == now_) {
        const Event event = events_.next();
        events_.pop();
        ask |= handle(event);
    }
    for (; arrived_ < workload_.jobs.size() && workload_.jobs[arrived_].submit == now_;
         arrived_++) {
        enqueue(static_cast<std::uint32_t>(arrived_));
        ask = true;
    }
    return ask;
}

bool Simulation::handle(const Event &event) {
    const std::size_t index = cluster_.find({event.job + 1});
    if (index == cluster_.live.size())
        return false;
    const Live &live = cluster_.live[index];
    switch (event.kind) {
    case Event::Kind::end:
        if (event.stamp == live.end_stamp) {
            finish(index);
            return true;
        }
        break;
    case Event::Kind::confirm:
        if (event.stamp == live.confirm_stamp) {
            confirm(index);
            return true;
        }
        break;
    case Event::Kind::look:
        if (event.stamp == live.start_stamp || event.stamp == live.estimate_stamp) {
            look(index);
            return !cluster_.snapshot.waiting.empty();
        }
        break;
    case Event::Kind::measure:
        if (event.stamp == live.measure_stamp) {
            measure_speedup(index);
            return true;
        }
        break;
    }
    return false;
}

void Simulation::enqueue(std::uint32_t index) {
    const Job &job = workload_.jobs[index];
    policy::WaitingJob waiting = waiting_job(job, {index + 1}, extent_, options_.rigid_jobs);
    if (options_.limit_extension && job.time_limit > 0)
        waiting.max_mpl =
            policy::deepest_mpl(job.time_limit, job.time_limit + *options_.limit_extension);
    enqueue(std::move(waiting));
}

// Jobs that could not be started on an idle machine are left out: they would wait for ever.
void Simulation::enqueue(policy::WaitingJob job) {
    if (policy::normalise(job, cluster_.snapshot.nodes, scheduler_.is_moldable()))
        cluster_.enqueue(std::move(job));
}

bool Simulation::decide() {
    outcome_.decisions++;
    bool acted = false;
    note_lost_time();
    note_likely_work();
    folding_cost_.forget(cluster_.snapshot.now);
    cluster_.snapshot.folding_cost = folding_cost_.percent();
    const auto &actions = scheduler_.decide_normalised(cluster_.snapshot);
    if (options_.on_decision)
        options_.on_decision(cluster_.snapshot, actions);
    for (const auto &action : actions) {
        std::visit([&](const auto &one) { carry_out(one); }, action);
        acted |= !std::holds_alternative<policy::Wait>(action);
    }
    return acted;
}

Outcome simulate(const Workload &workload, const Machine &machine, const Options &options,
                 Progress &progress) {
    return Simulation(workload, machine, options, progress).run();
}

} // namespace vmall::sim
