// SPDX-License-Identifier: GPL-2.0-or-later
//
// One scheduling pass: the situation as it will be once what was decided so far is carried out.
#include "policy/pass.hpp"

#include "policy/folding.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace vmall::policy {

Pass::Pass(Snapshot snapshot, const Settings &settings_)
    : settings(settings_), now(snapshot.now), nodes(std::move(snapshot.nodes)),
      queue(std::move(snapshot.waiting)), running(std::move(snapshot.running)) {
    for (const auto &node : nodes) {
        free.push_back(node.free);
    }
}

void Pass::start(std::size_t place, const Placement &placement) {
    start_with(place, placement, Start{});
}

void Pass::backfill(std::size_t place, const Placement &placement,
                    std::optional<Seconds> window_end, std::vector<NodeIndex> on) {
    Start start;
    start.backfilled = true;
    start.window_end = window_end;
    start.on = std::move(on);
    start_with(place, placement, std::move(start));
}

void Pass::start_with(std::size_t place, const Placement &placement, Start start) {
    const WaitingJob &job = queue[place];
    start.id = job.id;
    start.processes = placement.processes;
    start.mpl = placement.mpl;
    if (job.virtually_malleable) {
        start.nodes = job.min_nodes;
        start.cores_per_node = ceil_div(full_width(job, placement.processes), placement.mpl);
    }

    RunningJob started;
    started.id = job.id;
    started.arrival = job.arrival;
    started.job_class = job.job_class;
    started.virtually_malleable = job.virtually_malleable;
    started.processes = placement.processes;
    started.cores_per_process = job.cores_per_process;
    started.allotment = placement.allotment;
    started.started = now;
    started.expected_end = end_if_started(*this, job);
    started.backfilled = start.backfilled;
    started.window_end = start.window_end;

    free -= placement.allotment;
    running.push_back(std::move(started));
    actions.emplace_back(std::move(start));
    queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(place));
}

void Pass::resize(RunningJob &job, Allotment target) {
    actions.emplace_back(Resize{job.id, target});
    job.target = std::move(target);
}

void Pass::requeue(RunningJob &job) {
    actions.emplace_back(Requeue{job.id});
    job.ending = true;
}

void Pass::wait(const WaitingJob &job, std::string why) {
    actions.emplace_back(Wait{job.id, std::move(why)});
}

Room Pass::free_soon() const {
    Room room = free;
    for (const auto &job : running) {
        room += job.ending ? job.allotment : released(job.allotment, settled_allotment(job));
    }
    return room;
}

Seconds end_if_started(const Pass &pass, const WaitingJob &job) {
    return job.estimate < never - pass.now ? pass.now + job.estimate : never;
}

Seconds expected_end(const Pass &pass, const RunningJob &job) {
    return job.ending ? pass.now + 1 : std::max(job.expected_end, pass.now + 1);
}

bool arrived_before(const RunningJob &running, const WaitingJob &waiting) {
    return std::tie(running.arrival, running.id) < std::tie(waiting.arrival, waiting.id);
}

bool shares_nodes(const RunningJob &running, const WaitingJob &waiting) {
    return waiting.eligible.empty() ||
           std::any_of(running.allotment.begin(), running.allotment.end(), [&](const auto &part) {
               return std::binary_search(waiting.eligible.begin(), waiting.eligible.end(),
                                         part.node);
           });
}

} // namespace vmall::policy
