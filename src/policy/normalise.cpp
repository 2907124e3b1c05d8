// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes a snapshot one that the rest of the policies can trust.
#include "policy/normalise.hpp"

#include "policy/folding/mpl.hpp"
#include "policy/pass.hpp"
#include "policy/room/empty_machine.hpp"
#include "policy/room/room.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace vmall::policy {

namespace {

constexpr int most_cores_of_a_node = 65535; // also Slurm's limit; keeps sums far from overflow
constexpr std::int64_t most_memory = 1'000'000'000; // MiB, of a process; keeps sums likewise
constexpr Seconds longest_run = 100LL * 365 * 24 * 3600;

template <class Values, class Predicate>
void remove_if(Values &values, Predicate predicate) {
    values.erase(std::remove_if(values.begin(), values.end(), predicate), values.end());
}

void normalise(Node &node) {
    node.cores = std::clamp(node.cores, 0, most_cores_of_a_node);
    node.free = std::clamp(node.free, 0, node.cores);
    node.memory = std::clamp<std::int64_t>(node.memory, 0, most_memory * most_cores_of_a_node);
    node.free_memory = std::clamp<std::int64_t>(node.free_memory, 0, node.memory);
}

void normalise(CoreCounts &allotment, std::size_t node_count) {
    remove_if(allotment, [&](const NodeCores &part) {
        return part.node.value >= node_count || part.cores <= 0;
    });
    for (auto &part : allotment)
        part.cores = std::min(part.cores, most_cores_of_a_node);
    const auto comes_before = [](const NodeCores &left, const NodeCores &right) {
        return left.node < right.node;
    };
    if (!std::is_sorted(allotment.begin(), allotment.end(), comes_before))
        std::sort(allotment.begin(), allotment.end(), comes_before);
}

bool on_same_nodes(const CoreCounts &left, const CoreCounts &right) {
    return std::equal(
        left.begin(), left.end(), right.begin(), right.end(),
        [](const NodeCores &one, const NodeCores &other) { return one.node == other.node; });
}

// Of a job that runs, or did when it was suspended.
template <class Job>
void normalise_unfolded(Job &job, int processes, const CoreCounts &allotment,
                        std::size_t node_count) {
    normalise(job.unfolded, node_count);
    if (!job.virtually_malleable)
        job.unfolded = allotment;
    else if (!on_same_nodes(job.unfolded, allotment))
        job.unfolded = unfolded_equally(processes, job.cores_per_process, allotment);
}

void normalise(Demand &job) {
    job.cores_per_process = std::clamp(job.cores_per_process, 1, most_cores_of_a_node);
    job.memory_per_process = std::clamp<std::int64_t>(job.memory_per_process, 0, most_memory);
    job.memory_per_node =
        std::clamp<std::int64_t>(job.memory_per_node, 0, most_memory * most_cores_of_a_node);
    job.max_mpl = std::clamp(job.max_mpl, 1, highest_mpl);
    job.estimate = std::max<Seconds>(job.estimate, 0);
    job.likely_work = std::max(job.likely_work, job.estimate);
}

void normalise(RunningJob &job, std::size_t node_count) {
    normalise(static_cast<Demand &>(job));
    job.processes = std::clamp(job.processes, 1, most_cores_of_a_node);
    job.arrival = std::clamp(job.arrival, -never / 2, never / 2);
    job.started = std::clamp(job.started, -never / 2, never / 2);
    job.expected_end = std::max<Seconds>(job.expected_end, 0);
    job.lost = std::clamp<Seconds>(job.lost, 0, longest_run);
    job.useful_percent = std::clamp(job.useful_percent, 1, 100);
    remove_if(job.measured, [](const MeasuredSpeedup &sample) {
        return sample.processors < 1 || !(sample.speedup > 0) || !std::isfinite(sample.speedup);
    });
    normalise(job.allotment, node_count);
    if (job.target)
        normalise(*job.target, node_count);
    if (!job.allotment.empty())
        normalise_unfolded(job, job.processes, job.allotment, node_count);
}

// Everything but the sizes. False: it names nodes, and none of them exists.
bool normalise_shape(WaitingJob &job, std::size_t node_count) {
    normalise(static_cast<Demand &>(job));
    const int too_many = static_cast<int>(node_count) + 1;
    job.min_nodes = std::clamp(job.min_nodes, 1, too_many);
    const int no_limit = std::max(job.min_nodes, static_cast<int>(node_count));
    job.max_nodes = job.max_nodes <= 0 ? no_limit : std::max(job.max_nodes, job.min_nodes);
    job.any_spread = job.any_spread && job.virtually_malleable && !job.whole_nodes;
    job.time_limit = job.time_limit > 0 ? job.time_limit : never;
    job.estimate = job.estimate > 0 ? std::min(job.estimate, job.time_limit) : job.time_limit;
    job.likely_work = std::clamp(job.likely_work, job.estimate, job.time_limit);
    if (job.eligible.empty() || job.eligible.back().value < node_count)
        return true;
    std::vector<NodeIndex> existing(job.eligible.begin(), job.eligible.end());
    remove_if(existing, [&](NodeIndex node) { return node.value >= node_count; });
    job.eligible = NodeSet(std::move(existing));
    return !job.eligible.empty();
}

// Of a job that is not virtually malleable only the largest, which is its size.
void keep_sizes_that_fit(WaitingJob &job, EmptyMachine &machine) {
    const int most = machine.most_processes(job);
    if (job.virtually_malleable) {
        job.sizes.keep_within(job.min_nodes, most);
        return;
    }
    const auto size = job.sizes.largest_up_to(most);
    job.sizes = size && *size >= 1 ? Sizes{*size} : Sizes{};
}

// One that was made when the job or the machine was another.
bool is_outdated(const Promise &promise, const WaitingJob &job, std::size_t node_count) {
    const auto usable = [&](const NodeCores &part) {
        return part.node.value < node_count && part.cores > 0 &&
               (job.eligible.empty() || job.eligible.has(part.node));
    };
    return !job.sizes.contains(promise.processes) ||
           !std::all_of(promise.allotment.begin(), promise.allotment.end(), usable) ||
           !on_same_nodes(promise.allotment, promise.unfolded);
}

// False: it cannot have back what it had when it was suspended.
bool normalise_resumption(WaitingJob &job, EmptyMachine &machine) {
    normalise(*job.resumes_on, machine.nodes().size());
    job.min_nodes = job.max_nodes = std::max(1, static_cast<int>(job.resumes_on->size()));
    if (job.resumes_on->empty() || job.sizes.empty())
        return false;
    normalise_unfolded(job, job.sizes.largest(), *job.resumes_on, machine.nodes().size());
    return place(job, job.sizes.largest(), 1, machine.nodes(), machine.usable_by(job)).has_value();
}

bool normalise(WaitingJob &job, EmptyMachine &machine, bool moldable) {
    if (!normalise_shape(job, machine.nodes().size()))
        return false;
    if (job.resumes_on) {
        job.promise.reset(); // nobody is suspended where promises are made
        return normalise_resumption(job, machine);
    }
    keep_sizes_that_fit(job, machine);
    if (job.sizes.empty())
        return false;
    if (!(moldable && job.virtually_malleable))
        job.sizes = {job.sizes.largest()};
    if (job.promise && is_outdated(*job.promise, job, machine.nodes().size()))
        job.promise.reset();
    return true;
}

} // namespace

std::vector<WaitingJob> normalise(Snapshot &snapshot, bool moldable) {
    snapshot.now = std::clamp<Seconds>(snapshot.now, 0, never / 2);
    snapshot.folding_cost = std::clamp(snapshot.folding_cost, 100, 1000);
    for (auto &node : snapshot.nodes)
        normalise(node);
    const std::size_t node_count = snapshot.nodes.size();
    for (auto &job : snapshot.running)
        normalise(job, node_count);
    remove_if(snapshot.running, [](const RunningJob &job) { return job.allotment.empty(); });

    std::vector<WaitingJob> sane;
    std::vector<WaitingJob> unfit;
    std::set<JobId> seen;
    EmptyMachine machine(snapshot.nodes);
    for (auto &job : snapshot.waiting) {
        if (!seen.insert(job.id).second)
            continue;
        auto &jobs = normalise(job, machine, moldable) ? sane : unfit;
        jobs.push_back(std::move(job));
    }
    snapshot.waiting = std::move(sane);
    return unfit;
}

bool normalise(WaitingJob &job, const std::vector<Node> &nodes, bool moldable) {
    EmptyMachine machine(nodes);
    return normalise(job, machine, moldable);
}

} // namespace vmall::policy
