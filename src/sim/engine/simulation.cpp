// SPDX-License-Identifier: GPL-2.0-or-later
//
// One simulation under way: the clock, and what happens by itself.
#include "sim/engine/simulation.hpp"

#include "policy/normalise.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace vmall::sim {

namespace {

constexpr Milliseconds never = std::numeric_limits<Milliseconds>::max();

Extent extent_of(const Machine &machine) {
    const auto &cores = machine.cores;
    if (cores.empty() || *std::min_element(cores.begin(), cores.end()) < 1)
        throw std::invalid_argument("a machine needs nodes, and each node cores");
    return {static_cast<int>(cores.size()), *std::max_element(cores.begin(), cores.end())};
}

bool comes_before(const Job &left, const Job &right) {
    return left.submit < right.submit;
}

const Workload &checked(const Workload &workload) {
    if (!std::is_sorted(workload.jobs.begin(), workload.jobs.end(), comes_before))
        throw std::invalid_argument(workload.source + ": jobs are not in the order of submission");
    return workload;
}

} // namespace

Simulation::Simulation(const Workload &workload_, const Machine &machine, const Options &options_,
                       Progress &progress_)
    : workload(checked(workload_)), options(options_), progress(progress_),
      extent(extent_of(machine)), scheduler(options.policy), cluster(machine.cores),
      noise(options.measuring.seed) {
    outcome.cores = cluster.cores;
    outcome.jobs.resize(workload.jobs.size());
    for (std::size_t place = 0; place < workload.jobs.size(); place++)
        outcome.jobs[place].job = &workload.jobs[place];
}

Outcome Simulation::run() {
    while (advance()) {
        if (progress.stop)
            throw Stopped();
        if (!let_things_happen())
            continue;
        // Every round starts, folds or requeues a job; some may do so in turn, but not for ever.
        const std::size_t most_rounds =
            1000 + 100 * (cluster.snapshot.waiting.size() + cluster.snapshot.running.size());
        for (std::size_t round = 0; decide(); round++) {
            if (round == most_rounds) {
                throw std::logic_error("the policy does not come to rest at " +
                                       std::to_string(now) + " ms");
            }
            let_things_happen();
        }
    }
    return std::move(outcome);
}

bool Simulation::advance() {
    const bool more_arrivals = arrived < workload.jobs.size();
    if (!more_arrivals && events.empty())
        return false;
    now = std::min(more_arrivals ? workload.jobs[arrived].submit : never,
                   events.empty() ? never : events.next().time);
    cluster.snapshot.now = now / 1000;
    return true;
}

bool Simulation::let_things_happen() {
    bool ask = false;
    while (!events.empty() && events.next().time == now) {
        const Event event = events.next();
        events.pop();
        ask |= handle(event);
    }
    for (; arrived < workload.jobs.size() && workload.jobs[arrived].submit == now; arrived++) {
        enqueue(static_cast<std::uint32_t>(arrived));
        ask = true;
    }
    return ask;
}

bool Simulation::handle(const Event &event) {
    const std::size_t place = cluster.find({event.job + 1});
    if (place == cluster.live.size())
        return false;
    const Live &live = cluster.live[place];
    switch (event.kind) {
    case Event::Kind::end:
        if (event.stamp == live.end_stamp) {
            finish(place);
            return true;
        }
        break;
    case Event::Kind::settle:
        if (event.stamp == live.settle_stamp) {
            settle(place);
            return true;
        }
        break;
    case Event::Kind::look:
        if (event.stamp == live.start_stamp) {
            look(place);
            return !cluster.snapshot.waiting.empty();
        }
        break;
    case Event::Kind::measure:
        if (event.stamp == live.measure_stamp) {
            measure_speedup(place);
            return true;
        }
        break;
    }
    return false;
}

void Simulation::enqueue(std::uint32_t place) {
    enqueue(waiting_job(workload.jobs[place], {place + 1}, extent, options.rigid_jobs));
}

// Jobs that could not be started on an idle machine are left out: they would wait for ever.
void Simulation::enqueue(policy::WaitingJob job) {
    if (policy::normalise(job, cluster.snapshot.nodes, scheduler.is_moldable()))
        cluster.enqueue(std::move(job));
}

bool Simulation::decide() {
    outcome.decisions++;
    bool acted = false;
    note_lost_time();
    const auto &actions = scheduler.decide_normalised(cluster.snapshot);
    if (options.on_decision)
        options.on_decision(cluster.snapshot, actions);
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
