// SPDX-License-Identifier: GPL-2.0-or-later
//
// The order in which a job is moved: cpusets, threads, state on disk, control block, and then
// whoever still went by the old block (doc/protocol.md).
#include "spank_vm/agent/job.hpp"

#include "common/files.hpp"
#include "spank_vm/agent/lost_steps.hpp"
#include "spank_vm/agent/notice.hpp"
#include "spank_vm/agent/rank_survey.hpp"
#include "spank_vm/node/index_list.hpp"
#include "spank_vm/node/runtime_segment.hpp"

extern "C" {
#include <slurm/spank.h>
}

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace vmall::agent {

namespace {

using spank_vm::ControlFile;
using spank_vm::Published;

constexpr const char *state_file_name = "state";

Published describe(const Node &node, const Allotment &allotment, const spank_vm::Ranks &ranks) {
    Published content;
    content.generation = allotment.generation;
    content.mpl = allotment.mpl;
    content.core_count = static_cast<std::uint32_t>(allotment.cores.size());
    content.overclaimed = node.core_map.overclaimed();
    content.cpus = node.core_map.cpus(allotment.cores);
    content.runtime = merge(node.runtime, ranks.runtime);
    content.cpus_per_rank = ranks.cpus_per_rank;
    content.node_count = ranks.node_count;
    return content;
}

// Lines that a shell can read as well.
std::string in_words(const Published &content) {
    std::vector<std::uint32_t> cpus(content.cpus.begin(), content.cpus.end());
    std::sort(cpus.begin(), cpus.end());
    return "cores=" + std::to_string(content.core_count) + "\nmpl=" + std::to_string(content.mpl) +
           "\ncpus=" + spank_vm::format_index_list(cpus) +
           "\ngeneration=" + std::to_string(content.generation) + "\n";
}

// A job without one can be folded all the same.
std::unique_ptr<spank_vm::RuntimeSegment> make_page(std::uint32_t job_id, uid_t user) {
    try {
        return std::make_unique<spank_vm::RuntimeSegment>(user);
    } catch (const std::exception &error) {
        slurm_error("job %u: its ranks cannot be attached to libvmrt, while folded they poll: %s",
                    job_id, error.what());
        return nullptr;
    }
}

} // namespace

Job::Job(const Node &node, std::uint32_t id, JobState state, ControlFile control)
    : node_(&node), id_(id), state_(std::move(state)), control_(std::move(control)) {}

Job Job::create(const Node &node, std::uint32_t id, JobState state) {
    const Published content = describe(node, state.allotment, {});
    const common::Descriptor directory = node.runtime_dir.job(id);
    const auto page = state.takes_part ? make_page(id, state.user) : nullptr;
    Job job(node, id, state, ControlFile::create(directory, id, content, page ? page->key() : 0));
    if (page)
        page->keep();
    job.save(std::move(state));
    job.describe_to_programs(content);
    job.arrived_ = true;
    return job;
}

Job Job::recover(const Node &node, std::uint32_t id) {
    const common::Descriptor directory = node.runtime_dir.job(id);
    JobState state = decode_job_state(
        common::read_own_file(directory, state_file_name, highest_job_state_bytes));
    Job job(node, id, std::move(state), ControlFile::open(directory, id));
    // Another job has its number by now, and a cpuset of its name.
    if (!job.state_.takes_part || (!job.has_live_step() && job.has_stray_step()))
        return job;
    const Allotment allotment = job.allotment();
    try {
        job.apply(allotment); // the earlier agent may have been killed half way
    } catch (const std::exception &error) {
        slurm_error("job %u: cannot be put back where it was: %s", id, error.what());
    }
    return job;
}

void Job::add_step(const Step &step, const std::optional<spank_vm::Ranks> &ranks) {
    const bool again =
        std::any_of(state_.steps.begin(), state_.steps.end(), [&](const Step &known) {
            return known.id == step.id && !(known.stepd == step.stepd);
        });
    if (again) // of the job's next run: what the first one left stays the job's
        members(ProcessTable::look());
    std::vector<Step> steps;
    for (const Step &known : steps_left())
        if (!(known.stepd == step.stepd) &&
            (known.id != step.id || seen_.has_orphans || is_alive(known.stepd)))
            steps.push_back(known);
    steps.push_back(step);
    const spank_vm::Ranks before = state_.ranks;
    save(state_.allotment, std::move(steps), ranks.value_or(before));
    if (!(state_.ranks == before))
        control_.write(describe(*node_, state_.allotment, state_.ranks));
    launching_[step.id] = std::chrono::steady_clock::now();
}

void Job::give(const std::vector<std::uint32_t> &cores) {
    JobState state = state_;
    state.given = cores;
    save(std::move(state));
}

void Job::launched(std::uint32_t step_id) {
    launching_.erase(step_id);
    resize_cpusets(node_->core_map.cpus(state_.allotment.cores));
}

bool Job::is_launching(std::chrono::milliseconds patience) const {
    const auto now = std::chrono::steady_clock::now();
    return std::any_of(launching_.begin(), launching_.end(),
                       [&](const auto &step) { return now - step.second < patience; });
}

ProcessTable Job::apply(const Allotment &allotment) {
    const Allotment before = state_.allotment;
    const bool changes = !(allotment == before);
    if (!changes && arrived_)
        return repair();
    const bool moves = changes && (allotment.cores != before.cores || !arrived_);
    const Published content = describe(*node_, allotment, state_.ranks);
    ProcessTable processes;
    try {
        processes = move(allotment, content, moves ? Whom::everybody : Whom::outsiders);
    } catch (const std::exception &) {
        if (changes)
            go_back_to(before);
        throw;
    }
    if (allotment.cores != before.cores)
        notify_tasks(processes);
    return processes;
}

// Whoever is not told can still look (VMALL_ALLOTMENT).
void Job::notify_tasks(const ProcessTable &processes) const {
    try {
        if (const auto signal = state_.ranks.runtime.signal)
            signal_tasks(processes, state_.steps, *signal);
    } catch (const std::exception &error) {
        slurm_info("job %u: its tasks get no signal: %s", id_, error.what());
    }
}

ProcessTable Job::move(const Allotment &allotment, const Published &content, Whom whom) {
    const bool had_arrived = std::exchange(arrived_, false);
    resize_cpusets(content.cpus);
    if (whom == Whom::everybody) {
        has_moved_ = true;
        agent::move([this] { return members(ProcessTable::look()); }, content.cpus, whom);
    }
    save(allotment, steps_left(), state_.ranks);
    control_.write(content);
    describe_to_programs(content);
    // Ranks that roam the CPUs of the old block went on doing so after we passed, and a task that
    // was starting may have used it.
    ProcessTable processes = confine_outsiders(content.cpus);
    arrived_ = had_arrived || whom == Whom::everybody;
    return processes;
}

ProcessTable Job::confine_outsiders(const std::vector<std::uint16_t> &cpus) {
    ProcessTable last;
    bool is_first = true;
    const FindProcesses find = [&] {
        if (!std::exchange(is_first, false))
            if (std::vector<Process> grouped = members_of_cgroups(ProcessTable()); !grouped.empty())
                return grouped;
        last = ProcessTable::look();
        return members(last);
    };
    if (confine(find, cpus, Whom::outsiders))
        has_moved_ = true;
    return last;
}

void Job::resize_cpusets(const std::vector<std::uint16_t> &cpus) {
    confinement_ = node_->cpusets.resize(on_node(), cpus);
}

void Job::describe_to_programs(const Published &content) {
    common::replace_file(node_->runtime_dir.job(id_), spank_vm::allotment_file_name,
                         in_words(content), 0644);
}

void Job::recheck() {
    if (std::exchange(has_moved_, false))
        repair();
}

ProcessTable Job::repair() {
    const auto cpus = node_->core_map.cpus(state_.allotment.cores);
    resize_cpusets(cpus);
    return confine_outsiders(cpus);
}

void Job::go_back_to(const Allotment &allotment) {
    try {
        move(allotment, describe(*node_, allotment, state_.ranks), Whom::everybody);
    } catch (const std::exception &error) {
        slurm_error("job %u: cannot be put back where it was: %s", id_, error.what());
    }
}

JobOnNode Job::on_node() const {
    JobOnNode job = {state_.user, id_};
    for (const Step &step : state_.steps)
        if (is_alive(step.stepd))
            job.stepd_groups.push_back(unified_group(step.stepd.pid));
    return job;
}

std::vector<Process> Job::orphans(const ProcessTable &processes) const {
    const bool all_have_stepd =
        std::all_of(state_.steps.begin(), state_.steps.end(),
                    [&](const Step &step) { return processes.has(step.stepd); });
    if (all_have_stepd)
        return {};
    return find_orphans(state_, seen_.relatives, read_rank_page(control_.runtime_key()).slots,
                        processes);
}

std::vector<Process> Job::members(const ProcessTable &processes) {
    const std::vector<Process> left = orphans(processes);
    seen_ = members_of(state_, left, members_of_cgroups(processes), processes);
    return seen_.all;
}

// But for the slurmstepds, as they were at the look if they were there.
std::vector<Process> Job::members_of_cgroups(const ProcessTable &processes) const {
    std::vector<Process> found;
    for (const pid_t number : node_->cpusets.processes(on_node())) {
        const auto known = processes.with_number(number);
        const auto member = known ? known : find_process(number);
        const bool is_stepd =
            member && std::any_of(state_.steps.begin(), state_.steps.end(),
                                  [&](const Step &step) { return step.stepd == *member; });
        if (member && !is_stepd)
            found.push_back(*member);
    }
    return found;
}

void Job::save(JobState state) {
    common::replace_file(node_->runtime_dir.job(id_), state_file_name, encode(state));
    state_ = std::move(state);
}

void Job::save(const Allotment &allotment, std::vector<Step> steps, const spank_vm::Ranks &ranks) {
    JobState state = state_;
    state.allotment = allotment;
    state.steps = std::move(steps);
    state.ranks = ranks;
    save(std::move(state));
}

wire::RankReport Job::ranks(const ProcessTable &processes) const {
    try {
        return survey_ranks(state_.steps, read_rank_page(control_.runtime_key()), processes);
    } catch (const std::exception &error) {
        slurm_info("job %u: its ranks cannot be counted: %s", id_, error.what());
        return {};
    }
}

bool Job::has_static_process(const ProcessTable &processes) const {
    return agent::has_static_process(state_.steps, processes);
}

// Of a killed slurmstepd nothing is removed, its socket neither.
std::vector<Step> Job::steps_left() const {
    const auto sockets = step_sockets(node_->step_socket_dir, node_->name, id_);
    std::vector<Step> left;
    std::copy_if(state_.steps.begin(), state_.steps.end(), std::back_inserter(left),
                 [&](const Step &step) {
                     return is_alive(step.stepd) || seen_.has_orphans || has_socket(step, sockets);
                 });
    return left;
}

// A cgroup has all members, whoever started them.
bool Job::may_miss_members() const {
    const auto sockets = step_sockets(node_->step_socket_dir, node_->name, id_);
    std::optional<std::uint64_t> since; // of the oldest lost step
    if (has_lost_step(sockets, state_.steps))
        since = 0;
    for (const Step &step : state_.steps)
        if (!is_alive(step.stepd) && has_socket(step, sockets))
            since = std::min(since.value_or(step.stepd.start_time), step.stepd.start_time);
    if (!since || !node_->cpusets.processes(on_node()).empty())
        return false;
    const ProcessTable processes = ProcessTable::look();
    return may_miss_orphans(state_.user, *since,
                            relatives_of(state_, orphans(processes), processes), processes);
}

bool Job::is_here(const ProcessTable &processes) const {
    return has_stray_step() || has_members(processes);
}

bool Job::has_members(const ProcessTable &processes) const {
    return !relatives_of(state_, orphans(processes), processes).empty() ||
           !node_->cpusets.processes(on_node()).empty() ||
           std::any_of(
               state_.steps.begin(), state_.steps.end(),
               [&](const Step &step) { return processes.has(step.stepd); });
}

bool Job::has_live_step() const {
    return std::any_of(
        state_.steps.begin(), state_.steps.end(),
        [](const Step &step) { return is_alive(step.stepd); });
}

bool Job::has_stray_step() const {
    return has_unknown_step(step_sockets(node_->step_socket_dir, node_->name, id_), state_.steps);
}

} // namespace vmall::agent
