// SPDX-License-Identifier: GPL-2.0-or-later
//
// What waits and what runs.
#include "sim/engine/cluster.hpp"

#include "policy/room/room.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace vmall::sim {

namespace {

using policy::CoreCounts;
using policy::JobId;

template <class Jobs>
auto lower_bound(Jobs &jobs, JobId id) {
    return std::lower_bound(
        jobs.begin(), jobs.end(), id, [](const auto &job, JobId key) { return job.id < key; });
}

[[noreturn]] void refuse(JobId id, const std::string &why) {
    throw std::logic_error("the policy decides on job " + std::to_string(id.value) + ", which " +
                           why);
}

bool same_nodes(const CoreCounts &left, const CoreCounts &right) {
    return std::equal(
        left.begin(), left.end(), right.begin(), right.end(),
        [](const auto &a, const auto &b) { return a.node == b.node; });
}

} // namespace

int total_cores(const CoreCounts &allotment) {
    int sum = 0;
    for (const auto &part : allotment)
        sum += part.cores;
    return sum;
}

Cluster::Cluster(const std::vector<int> &cores_of_nodes, std::int64_t memory_per_core) {
    for (const int count : cores_of_nodes) {
        const std::int64_t memory = count * memory_per_core;
        snapshot.nodes.push_back({count, count, memory, memory});
        cores += count;
    }
}

void Cluster::enqueue(policy::WaitingJob job) {
    const auto index = lower_bound(snapshot.waiting, job.id);
    snapshot.waiting.insert(index, std::move(job));
}

policy::WaitingJob Cluster::dequeue(JobId id) {
    const auto found = lower_bound(snapshot.waiting, id);
    if (found == snapshot.waiting.end() || !(found->id == id))
        refuse(id, "does not wait");
    policy::WaitingJob job = std::move(*found);
    snapshot.waiting.erase(found);
    return job;
}

void Cluster::note_promise(JobId id, const policy::Promise &promise) {
    const auto found = lower_bound(snapshot.waiting, id);
    if (found == snapshot.waiting.end() || !(found->id == id))
        refuse(id, "does not wait");
    found->promise = promise;
}

std::size_t Cluster::find(JobId id) const {
    const auto found = lower_bound(snapshot.running, id);
    const bool runs = found != snapshot.running.end() && found->id == id;
    return static_cast<std::size_t>((runs ? found : snapshot.running.end()) -
                                    snapshot.running.begin());
}

std::size_t Cluster::find_running(JobId id) const {
    const std::size_t index = find(id);
    if (index == live.size())
        refuse(id, "does not run");
    return index;
}

std::size_t Cluster::add(policy::RunningJob job, const Live &live_side) {
    take(job.allotment);
    take_memory(job);
    const auto before = lower_bound(snapshot.running, job.id);
    const auto index = before - snapshot.running.begin();
    snapshot.running.insert(before, std::move(job));
    live.insert(live.begin() + index, live_side);
    return static_cast<std::size_t>(index);
}

void Cluster::remove(std::size_t index) {
    const auto job = snapshot.running.begin() + static_cast<std::ptrdiff_t>(index);
    give_back(job->allotment);
    give_memory_back(*job);
    if (job->target)
        give_back(policy::released(*job->target, job->allotment));
    snapshot.running.erase(job);
    live.erase(live.begin() + static_cast<std::ptrdiff_t>(index));
}

bool Cluster::resize(std::size_t index, const CoreCounts &target) {
    auto &job = snapshot.running[index];
    if (!job.resizable || job.ending || job.target)
        refuse(job.id, "cannot be resized now");
    if (!same_nodes(job.allotment, target))
        refuse(job.id, "is not on the nodes it is to be resized on");
    take(policy::released(target, job.allotment));
    if (policy::released(job.allotment, target).empty()) {
        job.allotment = target;
        return false;
    }
    job.target = target;
    return true;
}

void Cluster::confirm(std::size_t index) {
    auto &job = snapshot.running[index];
    give_back(policy::released(job.allotment, *job.target));
    job.allotment = *job.target;
    job.target.reset();
}

void Cluster::take(const CoreCounts &cores_taken) {
    for (const auto &part : cores_taken) {
        int &free = snapshot.nodes.at(part.node.value).free;
        if (part.cores < 1 || part.cores > free) {
            throw std::logic_error("the policy gives away " + std::to_string(part.cores) +
                                   " cores of a node with " + std::to_string(free) + " free");
        }
        free -= part.cores;
    }
}

void Cluster::give_back(const CoreCounts &cores_given) {
    for (const auto &part : cores_given)
        snapshot.nodes[part.node.value].free += part.cores;
}

void Cluster::take_memory(const policy::RunningJob &job) {
    for (const auto &part : policy::memory_of(job)) {
        policy::Node &node = snapshot.nodes[part.node.value];
        if (node.memory == 0)
            continue;
        if (part.memory > node.free_memory) {
            throw std::logic_error("the policy gives away " + std::to_string(part.memory) +
                                   " MiB of a node with " + std::to_string(node.free_memory) +
                                   " free");
        }
        node.free_memory -= part.memory;
    }
}

void Cluster::give_memory_back(const policy::RunningJob &job) {
    for (const auto &part : policy::memory_of(job)) {
        policy::Node &node = snapshot.nodes[part.node.value];
        if (node.memory > 0)
            node.free_memory += part.memory;
    }
}

} // namespace vmall::sim
