// SPDX-License-Identifier: GPL-2.0-or-later
//
// As far as cores are concerned: a completing job keeps those of a node until its epilog there is
// over, a suspended one lends them.
#include "slurm.hpp"

#include "clock.hpp"
#include "trace.hpp"

#include <slurm/slurm.h>

#include <algorithm>
#include <utility>

namespace vmall::simulation {

Slurm *slurm = nullptr;

int tasks_per_node(const Job &job) {
    return job.tasks / static_cast<int>(job.node_count);
}

void Slurm::kill(Random &chances) {
    is_up = false;
    registered.clear();
    orders.erase(std::remove_if(orders.begin(), orders.end(),
                                [&](const Order &) { return chances.one_in(2); }),
                 orders.end());
}

void Slurm::send(Order order) {
    order.number = ++last_order_;
    orders.push_back(std::move(order));
}

// What it told nodes before has reached them or is lost. Which jobs are completing, it tells again.
void Slurm::start() {
    is_up = true;
    records = saved;
    orders.clear();
    for (const auto &[id, job] : records.jobs)
        if (job.state == JobState::completing)
            for (const auto &[node, cores] : job.cores)
                send({Order::terminate, node, job});
}

Job *Slurm::find(JobId id) {
    const auto found = records.jobs.find(id);
    return found == records.jobs.end() ? nullptr : &found->second;
}

Job &Slurm::submit(uid_t user, bool malleable, std::uint32_t on_nodes, bool old_number) {
    JobId id = 1;
    while (old_number && records.jobs.count(id))
        ++id;
    if (!old_number || id > records.last_id)
        id = ++records.last_id;
    Job &job = records.jobs[id] = {};
    job.id = id;
    job.user = user;
    job.malleable = malleable;
    job.node_count = on_nodes;
    job.submitted = now.wall();
    return job;
}

Cores Slurm::free_cores(NodeIndex node) const {
    Cores free = (Cores{1} << cores_per_node) - 1;
    for (const auto &[id, job] : records.jobs)
        if (const auto held = job.cores.find(node);
            held != job.cores.end() && job.state != JobState::suspended)
            free &= ~held->second;
    return free;
}

bool Slurm::is_usable(NodeIndex node) const {
    const bool is_held =
        std::any_of(records.jobs.begin(), records.jobs.end(),
                    [&](const auto &job) { return job.second.cores.count(node) > 0; });
    return registered.count(node) || (holders_respond && is_held);
}

std::map<NodeIndex, Cores> Slurm::room_for(const Job &job, int wanted) const {
    std::map<NodeIndex, Cores> room;
    for (NodeIndex node = 0; node < node_count && room.size() < job.node_count; ++node) {
        const auto reserved_there = reserved.find(node);
        const auto free = as_list(free_cores(node) &
                                  ~(reserved_there == reserved.end() ? 0 : reserved_there->second));
        if (free.size() < static_cast<std::size_t>(wanted) || !registered.count(node) ||
            closed.count(node))
            continue;
        room[node] = as_bits({free.begin(), free.begin() + wanted});
    }
    return room.size() < job.node_count ? std::map<NodeIndex, Cores>() : room;
}

void Slurm::begin(Job &job, const std::map<NodeIndex, Cores> &cores) {
    job.start = ++last_start_;
    job.state = JobState::running;
    job.started = now.wall();
    job.cores = cores;
    job.steps.clear();
    const NodeIndex first = cores.begin()->first;
    job.steps[SLURM_BATCH_SCRIPT] = {first};
    send({Order::launch, first, job, SLURM_BATCH_SCRIPT});
}

void Slurm::add_step(Job &job) {
    const std::uint32_t step = job.next_step++;
    for (const auto &[node, cores] : job.cores)
        job.steps[step].insert(node);
    for (const auto &[node, cores] : job.cores)
        send({Order::launch, node, job, step});
}

void Slurm::end(Job &job, bool starts_again) {
    job.state = JobState::completing;
    job.starts_again = starts_again;
    for (const auto &[node, cores] : job.cores)
        send({Order::terminate, node, job});
    if (starts_again)
        ++job.run;
}

void Slurm::epilog_is_over(JobId id, Start start, NodeIndex node) {
    Job *job = find(id);
    if (!is_up || !job || job->state != JobState::completing || job->start != start)
        return;
    job->cores.erase(node);
    if (!job->cores.empty())
        return;
    tell([&] { return "    job " + std::to_string(id) + " has completed"; });
    job->steps.clear();
    job->next_step = 0;
    job->state = JobState::waiting;
    if (!job->starts_again)
        records.jobs.erase(id);
}

void Slurm::take_registration(NodeIndex node, const std::set<JobId> &present) {
    registered.insert(node);
    for (const JobId id : present) {
        const Job *job = find(id);
        if (job && job->state != JobState::waiting && job->cores.count(node))
            continue;
        tell([&] { return "    slurmctld ends job " + std::to_string(id) + ", unknown there"; });
        Job unknown;
        unknown.id = id;
        send({Order::abort, node, unknown});
    }
    // Of one whose script is gone.
    for (auto &[id, job] : records.jobs)
        if ((job.state == JobState::running || job.state == JobState::suspended) &&
            job.cores.begin()->first == node && !present.count(id) &&
            std::none_of(orders.begin(), orders.end(), [&, number = id](const Order &order) {
                return order.kind == Order::launch && order.job.id == number;
            })) {
            tell([&] { return "    slurmctld misses job " + std::to_string(id); });
            end(job, false);
        }
}

} // namespace vmall::simulation
