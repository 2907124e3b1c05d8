// SPDX-License-Identifier: GPL-2.0-or-later
//
// Cpusets as cgroup v1 has them: who is in one that changes may run on all of it.
#include "machine.hpp"

#include "trace.hpp"

#include <utility>

namespace vmall::simulation {

namespace {

Machine *current = nullptr;
constexpr pid_t init = 1;

} // namespace

Cores as_bits(const std::vector<std::uint32_t> &cores) {
    Cores bits = 0;
    for (const std::uint32_t core : cores)
        bits |= Cores{1} << core;
    return bits;
}

std::vector<std::uint32_t> as_list(Cores cores) {
    std::vector<std::uint32_t> list;
    for (std::uint32_t core = 0; cores >> core; ++core)
        if (cores >> core & 1)
            list.push_back(core);
    return list;
}

std::string as_text(Cores cores) {
    std::string text = "{";
    for (const std::uint32_t core : as_list(cores))
        text += (text.size() > 1 ? "," : "") + std::to_string(core);
    return text + "}";
}

Machine &here() {
    return *current;
}

Here::Here(Machine &machine) : before_(std::exchange(current, &machine)) {}

Here::~Here() {
    current = before_;
}

Machine::Machine(std::string its_name, std::uint32_t core_count, bool with_cpusets)
    : name(std::move(its_name)), all((Cores{1} << core_count) - 1), makes_cpusets(with_cpusets) {
    Process &first = processes[init];
    first.is_stranger = first.is_left = true;
    first.affinity = all;
}

pid_t Machine::start(Process process) {
    const pid_t pid = ++last_pid_;
    process.start_time = static_cast<std::uint64_t>(pid);
    if (process.is_stepd)
        process.session = pid;
    processes[pid] = process;
    return pid;
}

void Machine::end(pid_t pid) {
    processes.erase(pid);
    for (auto &[other, process] : processes)
        if (process.parent == pid)
            process.parent = init;
}

Cores Machine::cpuset_of(const Process &process) const {
    if (const auto job = cpusets.find(process.step.job); job != cpusets.end())
        if (const auto step = job->second.steps.find(process.step.step);
            step != job->second.steps.end() && !process.is_stepd)
            return step->second;
    return all;
}

bool Machine::bind(Process &process, Cores cores) {
    const Cores allowed = cpuset_of(process);
    if ((cores & allowed) == 0)
        return false;
    process.affinity = cores & allowed;
    return true;
}

void Machine::resize_cpuset(StepName step, Cores cores) {
    cpusets[step.job].steps[step.step] = cores;
    for (auto &[pid, process] : processes)
        if (!process.is_stepd && process.step.job == step.job && process.step.step == step.step)
            process.affinity = cores;
}

vmall_control_block *Machine::make_block() {
    blocks_.push_back(std::make_unique<vmall_control_block>());
    return blocks_.back().get();
}

void Machine::run_agent(Random chances, std::optional<int> calls_until_killed) {
    chances_ = chances;
    calls_until_killed_ = calls_until_killed;
    killed_ = false;
}

void Machine::system_call() {
    if (calls_until_killed_ && (*calls_until_killed_)-- <= 0)
        killed_ = true;
    if (killed_)
        throw AgentKilled();
    if (!let_programs_rest && chances_.one_in(8))
        let_a_program_act(chances_);
}

void Machine::perhaps_give_number_again(pid_t pid) {
    const auto found = processes.find(pid);
    if (!agent_is_at_work || found == processes.end() || !found->second.has_begun ||
        found->second.is_stranger || !chances_.one_in(20))
        return;
    end(pid);
    Process stranger;
    stranger.start_time = static_cast<std::uint64_t>(++last_pid_);
    stranger.parent = stranger.session = init;
    stranger.is_stranger = stranger.is_left = true;
    stranger.affinity = all;
    processes[pid] = stranger;
}

void Machine::let_a_program_act(Random &chances) {
    std::vector<pid_t> programs;
    for (const auto &[pid, process] : processes)
        if (process.has_begun)
            programs.push_back(pid);
    if (programs.empty())
        return;
    const pid_t pid = programs[chances.below(programs.size())];
    Process &process = processes.at(pid);
    const auto job = disk.find(process.step.job);
    const vmall_control_block *block = job == disk.end() ? nullptr : job->second.block;
    if (process.has_libvmrt && block && block->cpu_count > 0 && chances.one_in(2)) {
        // As libvmrt does, which places a rank on one of them.
        bind(process, Cores{1} << block->cpus[chances.below(block->cpu_count)]);
    } else if (processes.size() < 24) {
        Process child = process;
        child.parent = pid;
        start(child);
    }
}

} // namespace vmall::simulation
