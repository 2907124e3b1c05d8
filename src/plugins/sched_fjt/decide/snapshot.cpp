// SPDX-License-Identifier: GPL-2.0-or-later
//
// Slurm counts tasks and CPUs, a policy processes and cores; the differences end here.
#include "plugins/sched_fjt/decide/snapshot.hpp"

#include "plugins/sched_fjt/decide/fold_bound.hpp"
#include "plugins/sched_fjt/see/companies.hpp"
#include "plugins/sched_fjt/see/core_sets.hpp"
#include "plugins/sched_fjt/see/estimate.hpp"
#include "plugins/sched_fjt/see/memory.hpp"
#include "plugins/sched_fjt/see/standing.hpp"
#include "policy/room/room.hpp"

#include <algorithm>

namespace vmall::sched {

namespace {

bool holds_cores(const JobView &job) {
    return job.state == JobState::running || job.state == JobState::completing;
}

std::vector<policy::Node> nodes(const View &view, Companies &companies) {
    std::vector<policy::Node> result;
    for (const auto &[index, node] : view.nodes) {
        result.resize(index + 1);
        result[index].cores = node.cores;
        result[index].free = node.usable ? node.cores : 0;
    }
    for (const auto &[id, job] : view.active)
        if (holds_cores(job))
            for (const policy::NodeCores &here : job.allotment)
                if (here.node.value < result.size()) {
                    result[here.node.value].free -= here.cores;
                    result[here.node.value].company = companies.of(job);
                }
    for (policy::Node &node : result)
        node.free = std::max(node.free, 0);
    count_memory(view, result);
    return result;
}

// The sizes of a job that did not ask are the cores it needs; one process of such a "size" is one
// core.
policy::Sizes sizes_of(const JobView &job, NodeKinds &kinds) {
    if (job.virtually_malleable)
        return accepted_sizes(job);
    const int threads = kinds.of(job.eligible).threads_per_core;
    return {std::max(1, policy::ceil_div(cpus_asked_for(job), threads))};
}

// A shape has as many CPUs on each of its nodes, and as many cores for each task: of those a job
// may use, the kind that there is most of.
const policy::NodeSet &eligible_of(const JobView &job, NodeKinds &kinds) {
    const bool one_kind = job.any_spread || job.min_nodes > 1 || job.cpus_per_task > 1;
    return job.virtually_malleable && one_kind ? kinds.of(job.eligible).most : job.eligible;
}

// A virtually malleable job that is spread equally does not go over more nodes than it needs if its
// user has said how many tasks go on one, or where CPUs would not be the same number of cores on
// all of them.
int max_nodes(const JobView &job, NodeKinds &kinds) {
    const bool stays_close =
        job.virtually_malleable && !job.any_spread &&
        (job.tasks_per_node > 0 || kinds.of(job.eligible).most.size() < job.eligible.size());
    return stays_close ? job.min_nodes : job.max_nodes;
}

void learn_from(const Refusal &refusal, policy::WaitingJob &job) {
    if (refusal.startable) {
        job.sizes.keep_within(1, *refusal.startable);
        return;
    }
    job.refused = true;
    job.earliest_start = refusal.expected;
}

policy::Demand demand_of(const JobView &job, policy::Seconds now, const Ledger &ledger,
                         const config::Config &config) {
    policy::Demand result;
    result.id = {job.id};
    result.arrival = job.waits_since;
    result.tier = job.tier;
    result.job_class = class_of(job, config);
    result.virtually_malleable = job.virtually_malleable;
    if (job.virtually_malleable)
        result.cores_per_process = job.cores_per_task;
    result.estimate = estimate_of(job);
    result.likely_work = ledger.likely_work(job, now);
    return result;
}

policy::WaitingJob waiting(const JobView &job, policy::Seconds now, const Ledger &ledger,
                           NodeKinds &kinds, Companies &companies, const config::Config &config,
                           const Refusals &refusals, const Promises &promises) {
    policy::WaitingJob result;
    static_cast<policy::Demand &>(result) = demand_of(job, now, ledger, config);
    result.sizes = sizes_of(job, kinds);
    result.min_nodes = job.min_nodes;
    result.max_nodes = max_nodes(job, kinds);
    result.any_spread = job.any_spread;
    result.eligible = eligible_of(job, kinds);
    result.whole_nodes = job.whole_nodes && !job.lends_whole_nodes();
    result.company = companies.of(job);
    count_memory(job, kinds, result);
    if (job.virtually_malleable)
        result.max_mpl = max_mpl(job, now, config);
    result.time_limit = job.time_limit;
    if (const auto found = refusals.find(job.id); found != refusals.end())
        learn_from(found->second, result);
    if (job.het_job) {
        result.refused = true;
        result.earliest_start = std::max(job.planned_start, now + 1);
    }
    if (const auto promise = promises.find(job.id); promise != promises.end())
        result.promise = promise->second;
    return result;
}

// By its estimate; once that has passed, by its limit. Both are work, and the job has lost time.
policy::Seconds expected_end(const View &view, const JobView &job, policy::Seconds lost) {
    const policy::Seconds started = job.started + job.suspended + lost;
    const policy::Seconds by_estimate = started + estimate_of(job);
    const policy::Seconds by_limit = started + job.time_limit;
    return by_estimate > view.now ? by_estimate : std::max(by_limit, view.now + 1);
}

policy::RunningJob running(const View &view, const JobView &job, const Ledger &ledger,
                           const config::Config &config) {
    const LedgerEntry *entry = ledger.find(job.id);
    policy::RunningJob result;
    static_cast<policy::Demand &>(result) = demand_of(job, view.now, ledger, config);
    result.processes = job.tasks;
    result.allotment = job.allotment;
    count_memory(job, result);
    if (job.virtually_malleable)
        result.unfolded = unfolded_on(job, job.allotment);
    result.started = job.started;
    if (entry && job.virtually_malleable)
        result.lost = time_lost(job, view.now, *entry);
    result.expected_end = expected_end(view, job, result.lost);
    result.ending = job.state == JobState::completing;
    result.resizable = job.virtually_malleable && !job.configuring && job.record_can_end;
    if (!entry)
        return result;
    result.backfilled = entry->backfilled;
    result.window_end = entry->window_end;
    result.resizable = result.resizable && entry->target.may_be_resized(view.steady);
    if (job.virtually_malleable) {
        result.max_mpl = fold_bound(job, view.now, *entry, config).mpl;
        result.useful_percent = entry->useful.reckoned_percent();
        for (const wire::Speedup &one : entry->useful.speedups())
            result.measured.push_back({one.processors, one.speedup});
    }
    if (const Fold *fold = entry->target.under_way_fold())
        result.target = counts(fold->keep);
    return result;
}

} // namespace

int fewest_tasks(const JobView &job, NodeKinds &kinds) {
    const int most = std::max(1, kinds.of(job.eligible).cores / job.cores_per_task);
    return std::min(sizes_of(job, kinds).smallest(), most);
}

policy::Snapshot snapshot(const View &view, const Ledger &ledger, const config::Config &config,
                          const Refusals &refusals, const Promises &promises) {
    policy::Snapshot result;
    result.now = view.now;
    result.folding_cost = ledger.folding_cost();
    Companies companies(config.lend_whole_nodes);
    result.nodes = nodes(view, companies);
    NodeKinds kinds(view);
    for (const JobView &job : view.queue)
        result.waiting.push_back(
            waiting(job, view.now, ledger, kinds, companies, config, refusals, promises));
    for (const auto &[id, job] : view.active)
        if (job.state != JobState::suspended) // which holds nothing
            result.running.push_back(running(view, job, ledger, config));
    return result;
}

Promises promises(const std::vector<policy::Action> &actions) {
    Promises result;
    for (const policy::Action &action : actions)
        if (const auto *wait = std::get_if<policy::Wait>(&action); wait && wait->promise)
            result[wait->id.value] = *wait->promise;
    return result;
}

} // namespace vmall::sched
