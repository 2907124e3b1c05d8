// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random but consistent snapshots of small machines.
#include "random_situation.hpp"

#include "policy/queue/discipline.hpp"
#include "policy/room/room.hpp"
#include "situation.hpp"

#include <algorithm>
#include <utility>

using namespace vmall::policy;

// Not a distribution of the standard library: what those give is not the same everywhere.
int RandomSituation::between(int least, int most) {
    return least + static_cast<int>(engine() % static_cast<std::uint32_t>(most - least + 1));
}

template <typename Piece>
Chosen<Piece> RandomSituation::piece() {
    const auto &all = rows<Piece>();
    return all[static_cast<std::size_t>(between(0, static_cast<int>(all.size()) - 1))];
}

Settings RandomSituation::settings() {
    Settings settings;
    settings.queue_discipline = one_in(2) ? "easy" : piece<Discipline>();
    if (settings.queue_discipline->make()->grows_running_jobs())
        settings.queue_discipline = "least-work"; // others go by other rules: sharing/
    settings.backfill_order = one_in(2) ? BackfillOrder::arrival : BackfillOrder::shortest;
    settings.sizing = one_in(2) ? "fjt" : piece<SizingPolicy>();
    settings.max_mpl = between(1, highest_mpl);
    settings.window_policy = piece<ExpiryPolicy>();
    settings.window_rule = static_cast<WindowRule>(between(0, 2));
    settings.window_mpl = between(1, highest_mpl);
    settings.folded_weight = between(0, 2);
    return settings;
}

Snapshot RandomSituation::snapshot() {
    std::vector<int> nodes;
    for (int count = between(1, 3); count > 0; count--)
        nodes.push_back(between(1, 6));
    Snapshot result = situation::snapshot(nodes, {}, {});
    std::uint32_t id = 1;
    for (int tries = between(0, 5); tries > 0; tries--) {
        RunningJob job = running_job(id, result);
        if (!job.allotment.empty()) {
            result.running.push_back(std::move(job));
            id++;
        }
    }
    for (int count = between(0, 6); count > 0; count--)
        result.waiting.push_back(waiting_job(id++, static_cast<int>(nodes.size())));
    return result;
}

// On some of the cores that are free, equally many on each node if it is virtually malleable.
// On no more cores of each node than it has there.
void RandomSituation::spread_unequally(RunningJob &job, int mpl, Snapshot &snapshot) {
    job.unfolded = job.allotment;
    job.processes = 0;
    for (NodeCores &part : job.unfolded) {
        const int processes = between(1, part.cores / job.cores_per_process * mpl);
        part.cores = processes * job.cores_per_process;
        job.processes += processes;
    }
    for (const NodeCores &part : job.allotment)
        snapshot.nodes[part.node.value].free += part.cores;
    job.allotment = at_mpl(job.unfolded, job.cores_per_process, mpl);
    for (const NodeCores &part : job.allotment)
        snapshot.nodes[part.node.value].free -= part.cores;
}

RunningJob RandomSituation::running_job(std::uint32_t id, Snapshot &snapshot) {
    RunningJob job;
    job.id = {id};
    job.arrival = between(0, 20);
    job.job_class = one_in(2) ? JobClass::long_job : JobClass::short_job;
    job.virtually_malleable = !one_in(3);
    job.resizable = job.virtually_malleable && !one_in(4);
    job.ending = one_in(8);
    job.cores_per_process = between(1, 2);
    job.started = snapshot.now - between(0, 100);
    job.expected_end = snapshot.now + between(-5, 60);
    job.backfilled = one_in(2);
    if (job.backfilled && !one_in(4))
        job.window_end = snapshot.now + between(-10, 20);
    job.max_mpl = one_in(2) ? highest_mpl : between(1, highest_mpl);
    job.lost = between(0, 50);
    const int cores = between(1, 4);
    for (std::uint32_t node = 0; node < snapshot.nodes.size(); node++) {
        if (snapshot.nodes[node].free >= cores && !one_in(3)) {
            job.allotment.push_back({{node}, cores});
            snapshot.nodes[node].free -= cores;
        }
    }
    const int node_count = static_cast<int>(job.allotment.size());
    const int mpl = job.virtually_malleable ? between(1, highest_mpl) : 1;
    job.processes = node_count * std::max(cores / job.cores_per_process, 1) * mpl;
    if (job.virtually_malleable && cores >= job.cores_per_process && one_in(2))
        spread_unequally(job, mpl, snapshot);
    if (job.resizable && one_in(4)) {
        job.target = job.allotment;
        for (auto &part : *job.target)
            part.cores = between(1, part.cores);
    }
    return job;
}

WaitingJob RandomSituation::waiting_job(std::uint32_t id, int node_count) {
    WaitingJob job;
    job.id = {id};
    job.arrival = 10 + between(0, 20);
    job.job_class = one_in(2) ? JobClass::long_job : JobClass::short_job;
    job.virtually_malleable = !one_in(3);
    job.cores_per_process = between(1, 2);
    job.min_nodes = one_in(2) ? 1 : between(1, node_count);
    job.max_nodes = job.virtually_malleable ? job.min_nodes
                    : one_in(2)             ? 0
                                            : between(job.min_nodes, node_count);
    job.any_spread = job.virtually_malleable && one_in(2);
    if (job.any_spread)
        job.max_nodes = one_in(2) ? 0 : between(job.min_nodes, node_count);
    for (int count = job.virtually_malleable ? between(1, 4) : 1; count > 0; count--)
        job.sizes.add(between(1, 10));
    if (job.virtually_malleable && one_in(8)) {
        const auto node = static_cast<std::uint32_t>(between(0, node_count - 1));
        job.resumes_on = CoreCounts{{{node}, between(1, 4)}};
    }
    job.whole_nodes = one_in(6);
    job.max_mpl = one_in(2) ? highest_mpl : between(1, highest_mpl);
    job.estimate = between(1, 80);
    job.time_limit = job.estimate + between(0, 80);
    job.refused = one_in(8);
    if (job.refused && one_in(2))
        job.earliest_start = situation::now + between(-5, 40);
    return job;
}

Settings RandomSituation::least_work_settings() {
    Settings settings = default_settings();
    settings.max_mpl = one_in(2) ? highest_mpl : between(1, highest_mpl);
    settings.patience = one_in(3) ? 0 : between(1, 100);
    settings.max_time_lost = one_in(2) ? 100 : between(0, 100);
    return settings;
}

Snapshot RandomSituation::least_work_snapshot() {
    Snapshot result = snapshot();
    for (RunningJob &job : result.running) {
        job.estimate = one_in(4) ? 0 : between(1, 200);
        job.tier = one_in(4) ? 1 : 0;
        job.lost = between(0, static_cast<int>(result.now - job.started));
    }
    for (WaitingJob &job : result.waiting) {
        job.tier = one_in(4) ? 1 : 0;
        job.resumes_on.reset();
        if (one_in(2))
            job.max_nodes = 0;
    }
    for (RunningJob &job : result.running)
        job.useful_percent = one_in(2) ? 100 : between(0, 110);
    return result;
}
