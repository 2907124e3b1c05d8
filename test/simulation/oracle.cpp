// SPDX-License-Identifier: GPL-2.0-or-later
#include "oracle.hpp"

#include "controller.hpp"

namespace vmall::simulation {

namespace {

const Job *holder_of(const Records &records, NodeIndex node, std::uint32_t core) {
    for (const auto &[id, job] : records.jobs)
        if (const auto held = job.cores.find(node); held != job.cores.end() &&
                                                    job.state != JobState::suspended &&
                                                    (held->second >> core & 1))
            return &job;
    return nullptr;
}

// Ranks take turns on places of as many cores as each wants.
void expect_whole_places(const Records &records) {
    for (const auto &[id, job] : records.jobs)
        for (const auto &[node, cores] : job.cores)
            if (as_list(cores).size() % static_cast<std::size_t>(job.cores_per_task) != 0)
                throw Violation{"job " + std::to_string(id) + " has a part of a place"};
}

void expect_cpusets_first(const std::vector<Node> &nodes) {
    for (const Node &node : nodes)
        if (node.machine.has_clipped)
            throw Violation{"a process of " + node.machine.name + " is moved before its cpuset"};
}

void expect_strangers_everywhere(const std::vector<Node> &nodes) {
    for (const Node &node : nodes)
        for (const auto &[pid, process] : node.machine.processes)
            if (process.is_stranger && process.affinity != node.machine.all)
                throw Violation{"a process that is no job's may only run on " +
                                as_text(process.affinity) + " of " + node.machine.name};
}

bool has_recorded(const Records &records, Start start) {
    for (const auto &[id, job] : records.jobs)
        if (job.start == start && job.state != JobState::waiting)
            return true;
    return false;
}

} // namespace

bool Oracle::is_slurms_affair(const Records &records, const Process &process, const Job &job,
                              bool is_given) const {
    // For one that it has lost it takes another one with the same number.
    const auto namesake = records.jobs.find(process.step.job);
    const bool is_mistaken = namesake != records.jobs.end() &&
                             namesake->second.state != JobState::waiting &&
                             namesake->second.start != process.start;
    // Stock Slurm, too, lets those whom it has lost begin, and runs others beside them.
    const bool is_lost = !has_recorded(records, process.start) && !(is_given && job.malleable);
    return is_mistaken || is_lost || suspended_.count(process.start) || suspended_.count(job.start);
}

void Oracle::look(const Records &records, const std::vector<Node> &nodes,
                  const std::set<std::string> &given_up, bool roll_is_called) {
    expect_cpusets_first(nodes);
    expect_strangers_everywhere(nodes);
    std::set<Overlap> present;
    for (const Node &node : nodes)
        for (const auto &[pid, process] : node.machine.processes) {
            if (!process.has_begun || process.is_left)
                continue;
            for (const std::uint32_t core : as_list(process.affinity)) {
                const Job *job = holder_of(records, node.index, core);
                if (!job || job->start == process.start)
                    continue;
                const bool is_given = held_.count({node.index, core, job->start}) == 0;
                const Overlap overlap{node.index, core, process.start, job->start};
                present.insert(overlap);
                if ((!is_given && !roll_is_called) || node.has_lost_sight_of(process) ||
                    is_slurms_affair(records, process, *job, is_given) || known_.count(overlap) ||
                    given_up.count(node.machine.name))
                    continue;
                throw Violation{"core " + std::to_string(core) + " of " + node.machine.name +
                                " is job " + std::to_string(job->id) + "'s, and a program of job " +
                                std::to_string(process.step.job) + " may run there"};
            }
        }
    known_ = std::move(present);
    expect_whole_places(records);
    note_holders(records);
}

void Oracle::note_holders(const Records &records) {
    held_.clear();
    for (const auto &[id, job] : records.jobs)
        for (const auto &[node, cores] : job.cores)
            for (const std::uint32_t core : as_list(cores))
                held_.insert({node, core, job.start});
}

} // namespace vmall::simulation
