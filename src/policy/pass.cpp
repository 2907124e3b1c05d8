// SPDX-License-Identifier: GPL-2.0-or-later
//
// One scheduling pass: the situation as it will be once what was decided so far is carried out.
#include "policy/pass.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace vmall::policy {

namespace {

bool are_equal(const CoreCounts &parts) {
    return std::all_of(
        parts.begin(), parts.end(),
        [&](const NodeCores &part) { return part.cores == parts.front().cores; });
}

// Of a pool: those of others have none.
std::size_t count_with_cores(const std::vector<Node> &nodes) {
    return static_cast<std::size_t>(std::count_if(
        nodes.begin(), nodes.end(), [](const Node &node) { return node.cores > 0; }));
}

// As Start::cores_per_node.
int cores_on_each_node(const WaitingJob &job, const Placement &placement) {
    if (job.whole_nodes)
        return full_width(job, placement.processes, placement.mpl);
    return are_equal(placement.unfolded) ? placement.allotment.front().cores : 0;
}

} // namespace

Pass::Pass(const Settings &settings_) : settings(settings_) {}

void Pass::begin(const Pool &pool) {
    begin(pool.now, pool.folding_cost, pool.nodes);
    for (const auto *job : pool.waiting)
        add_waiting(*job);
    for (const auto *job : pool.running)
        add_running(*job);
}

void Pass::begin(const Snapshot &snapshot) {
    begin(snapshot.now, snapshot.folding_cost, snapshot.nodes);
    for (const auto &job : snapshot.waiting)
        add_waiting(job);
    for (const auto &job : snapshot.running)
        add_running(job);
}

void Pass::add_waiting(const WaitingJob &job) {
    queue.push_back(&job);
    memory_per_core.add(job);
}

void Pass::add_running(const RunningJob &job) {
    running.emplace_back(job);
    memory_per_core.add(job);
}

void Pass::begin(Seconds now_, int folding_cost_, const std::vector<Node> &nodes_) {
    now = now_;
    folding_cost = folding_cost_;
    nodes = nodes_;
    folding_is_dear = policy::folding_is_dear(folding_cost, count_with_cores(nodes));
    queue.clear();
    running.clear();
    memory_per_core = {};
    for (const Node &node : nodes)
        memory_per_core.add(node);
    fill_with_free(free, nodes);
    started_.clear();
}

void Pass::start(std::size_t position, const Placement &placement, std::vector<NodeIndex> on) {
    Start start;
    start.on = std::move(on);
    start_with(position, placement, std::move(start));
}

void Pass::backfill(std::size_t position, const Placement &placement,
                    std::optional<Seconds> window_end, std::vector<NodeIndex> on) {
    Start start;
    start.backfilled = true;
    start.window_end = window_end;
    start.on = std::move(on);
    start_with(position, placement, std::move(start));
}

void Pass::start_with(std::size_t position, const Placement &placement, Start start) {
    const WaitingJob &job = *queue[position];
    start.id = job.id;
    start.processes = placement.processes;
    start.mpl = placement.mpl;
    start.counted_on = placement.allotment;
    start.unfolded = placement.unfolded;
    if (job.virtually_malleable) {
        start.nodes = static_cast<int>(placement.allotment.size());
        start.cores_per_node = cores_on_each_node(job, placement);
    }

    RunningJob &now_running = started_.emplace_back(started_job(job, start, now));
    now_running.expected_end = end_if_started(*this, job);

    free -= placement.allotment;
    free -= memory_of(now_running);
    running.emplace_back(now_running);
    if (job.resumes_on)
        actions.emplace_back(Resume{job.id, start.backfilled, start.window_end});
    else
        actions.emplace_back(std::move(start));
    queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(position));
}

void Pass::fold(Running &folded, CoreCounts target, Cause why) {
    resize(folded, {folded.job->id, std::move(target), first(), 0, why});
}

void Pass::fold_for(Running &folded, CoreCounts target, const WaitingJob *whom, int on_nodes) {
    if (whom)
        resize(folded, {folded.job->id, std::move(target), whom->id, on_nodes, Cause::room});
    else
        resize(folded, {folded.job->id, std::move(target), {}, on_nodes, Cause::growth});
}

void Pass::share(Running &shrunk, CoreCounts target, const WaitingJob *whom) {
    const std::optional<JobId> id = whom ? std::optional(whom->id) : std::nullopt;
    resize(shrunk, {shrunk.job->id, std::move(target), id, 0, Cause::sharing});
}

void Pass::unfold(Running &unfolded, CoreCounts target, Cause why) {
    resize(unfolded, {unfolded.job->id, std::move(target), {}, 0, why});
}

void Pass::resize(Running &resized, Resize resize) {
    resized.target = resize.target;
    actions.emplace_back(std::move(resize));
}

std::optional<JobId> Pass::first() const {
    return queue.empty() ? std::nullopt : std::optional(queue.front()->id);
}

void Pass::requeue(Running &requeued) {
    actions.emplace_back(Requeue{requeued.job->id, first()});
    requeued.ending = true;
}

void Pass::kill(Running &killed) {
    actions.emplace_back(Kill{killed.job->id});
    killed.ending = true;
}

void Pass::suspend(Running &suspended) {
    actions.emplace_back(Suspend{suspended.job->id});
    suspended.ending = true;
}

Room Pass::free_soon() const {
    Room room = free;
    for (const auto &one : running)
        if (one.ending) {
            room += one.job->allotment;
            room += memory_of(*one.job);
        } else if (one.target) {
            room += released(one.job->allotment, *one.target);
        }
    return room;
}

Seconds end_if_started(const Pass &pass, const WaitingJob &job) {
    return later(pass.now, job.estimate);
}

Seconds expected_end(const Pass &pass, const Running &running) {
    const Seconds soon = pass.now + 1;
    return running.ending ? soon : std::max(running.job->expected_end, soon);
}

bool arrived_before(const RunningJob &running, const WaitingJob &waiting) {
    return std::tie(running.arrival, running.id) < std::tie(waiting.arrival, waiting.id);
}

Room room_of_all(const Pass &pass) {
    Room room = pass.free;
    for (const auto &one : pass.running) {
        room += one.job->allotment;
        room += memory_of(*one.job);
        if (one.target)
            room += released(*one.target, one.job->allotment); // it grows
    }
    return room;
}

bool shares_nodes(const RunningJob &running, const WaitingJob &waiting) {
    return waiting.eligible.empty() ||
           std::any_of(
               running.allotment.begin(), running.allotment.end(),
               [&](const auto &part) { return waiting.eligible.has(part.node); });
}

} // namespace vmall::policy
