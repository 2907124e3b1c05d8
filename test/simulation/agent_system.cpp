// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the agent asks the system for, answered from the machine that it runs on. Linked in place of
// what src/spank_vm has for it.
#include "common/files.hpp"
#include "machine.hpp"
#include "spank_vm/agent/awake_time.hpp"
#include "spank_vm/agent/cpusets.hpp"
#include "spank_vm/agent/processes.hpp"
#include "spank_vm/agent/rank_slots.hpp"
#include "spank_vm/agent/step_sockets.hpp"
#include "spank_vm/node/control_file.hpp"
#include "spank_vm/node/runtime_dir.hpp"
#include "spank_vm/node/runtime_segment.hpp"
#include "trace.hpp"

extern "C" {
#include <slurm/spank.h>
}

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <sched.h>
#include <stdexcept>
#include <system_error>

using vmall::simulation::Cores;
using vmall::simulation::here;
using vmall::simulation::Machine;
namespace simulation = vmall::simulation;

namespace {

simulation::Process *find(pid_t pid) {
    const auto found = here().processes.find(pid);
    return found == here().processes.end() ? nullptr : &found->second;
}

Cores bits_of(const cpu_set_t &mask) {
    Cores bits = 0;
    for (unsigned cpu = 0; cpu < 32; ++cpu)
        bits |= CPU_ISSET(cpu, &mask) ? Cores{1} << cpu : 0;
    return bits;
}

Cores bits_of(const std::vector<std::uint16_t> &cpus) {
    return simulation::as_bits({cpus.begin(), cpus.end()});
}

// Directories of jobs are no real ones: numbers that no descriptor has.
constexpr int first_directory = 1'000'000'000;

std::uint32_t job_of(const vmall::common::Descriptor &directory) {
    return static_cast<std::uint32_t>(directory.get() - first_directory);
}

void log(const char *format, va_list arguments) {
    simulation::tell([&] {
        char line[500];
        std::vsnprintf(line, sizeof line, format, arguments);
        return "    " + here().name + " says: " + line;
    });
}

} // namespace

extern "C" {

int sched_getaffinity(pid_t thread, std::size_t, cpu_set_t *mask) noexcept {
    const simulation::Process *process = find(thread);
    if (!process) {
        errno = ESRCH;
        return -1;
    }
    CPU_ZERO(mask);
    for (const std::uint32_t core : simulation::as_list(process->affinity))
        CPU_SET(core, mask);
    return 0;
}

int sched_setaffinity(pid_t thread, std::size_t, const cpu_set_t *mask) noexcept {
    here().perhaps_give_number_again(thread);
    simulation::Process *process = find(thread);
    errno = process ? EINVAL : ESRCH;
    if (process && here().agent_is_at_work)
        here().has_clipped |= !simulation::is_inside(bits_of(*mask), here().cpuset_of(*process));
    return process && here().bind(*process, bits_of(*mask)) ? 0 : -1;
}

void slurm_error(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    log(format, arguments);
    va_end(arguments);
}

void slurm_info(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    log(format, arguments);
    va_end(arguments);
}

void slurm_verbose(const char *, ...) {}
}

namespace vmall::agent {

std::optional<Process> find_process(pid_t pid) {
    const simulation::Process *process = find(pid);
    return process ? std::optional<Process>({pid, process->start_time}) : std::nullopt;
}

bool is_alive(const Process &process) {
    return find_process(process.pid) == process;
}

// Nobody waits in MPI here.
std::uint64_t age_ns(const Process &) {
    return 0;
}

std::optional<std::uint64_t> awake_ns(pid_t) {
    return std::nullopt;
}

std::optional<Process> find_thread(const Process &process, pid_t thread) {
    return is_alive(process) ? find_process(thread) : std::nullopt;
}

std::optional<pid_t> model_of(pid_t thread) {
    const simulation::Process *process = find(thread);
    return process ? std::optional<pid_t>(process->parent) : std::nullopt;
}

std::optional<uid_t> real_user(pid_t pid) {
    const simulation::Process *process = find(pid);
    return process ? std::optional<uid_t>(process->user) : std::nullopt;
}

bool is_static(pid_t) {
    return false;
}

std::vector<pid_t> threads(pid_t pid) {
    here().system_call();
    return find(pid) ? std::vector<pid_t>{pid} : std::vector<pid_t>();
}

std::string unified_group(pid_t) {
    return "";
}

ProcessTable ProcessTable::look() {
    here().system_call();
    ProcessTable table;
    for (const auto &[pid, process] : here().processes) {
        table.start_times_.emplace(pid, process.start_time);
        table.children_.emplace(process.parent,
                                FamilyMember{{pid, process.start_time},
                                             process.parent,
                                             process.session,
                                             process.is_stepd ? "slurmstepd" : "program"});
    }
    return table;
}

pid_t session_of_step(pid_t stepd) {
    const simulation::Process *process = find(stepd);
    return process ? process->session : 0;
}

std::vector<StepSocket> step_sockets(const std::string &, const std::string &,
                                     std::uint32_t job_id) {
    std::vector<StepSocket> sockets;
    for (const auto &[name, listening] : here().sockets)
        if (name.job == job_id)
            sockets.push_back({name.step, std::to_string(job_id)});
    return sockets;
}

bool is_listening(const StepSocket &socket) {
    const auto job = static_cast<std::uint32_t>(std::stoul(socket.path));
    return here().sockets.at({job, socket.step});
}

std::set<std::uint32_t> running_jobs(const std::string &, const std::string &) {
    std::set<std::uint32_t> jobs;
    for (const auto &[name, listening] : here().sockets)
        if (listening)
            jobs.insert(name.job);
    return jobs;
}

Cpusets::Cpusets(std::string mount, std::string node_name)
    : mount_(std::move(mount)), node_name_(std::move(node_name)) {}

// Outermost first where it grows, innermost first where it shrinks.
Confinement Cpusets::resize(const JobOnNode &job, const std::vector<std::uint16_t> &cpus) const {
    const auto found = here().cpusets.find(job.id);
    if (found == here().cpusets.end())
        return Confinement::affinity;
    Machine::JobCpuset &cpuset = found->second;
    const Cores cores = bits_of(cpus);
    here().system_call();
    cpuset.cores |= cores;
    for (const auto &[step, before] : std::map(cpuset.steps)) {
        here().system_call();
        here().resize_cpuset({job.id, step}, cores);
    }
    here().system_call();
    cpuset.cores = cores;
    return Confinement::cgroup_v1;
}

std::vector<pid_t> Cpusets::processes(const JobOnNode &job) const {
    std::vector<pid_t> members;
    if (here().cpusets.count(job.id))
        for (const auto &[pid, process] : here().processes)
            if (process.step.job == job.id && !process.is_stepd)
                members.push_back(pid);
    return members;
}

// No rank says so: who is left is found otherwise.
RankPage read_rank_page(std::uint32_t) {
    return {};
}

} // namespace vmall::agent

namespace vmall::common {

// Of vmall.conf, which is not there.
std::string read_whole(const Descriptor &, const std::string &name, std::size_t) {
    throw std::runtime_error(name + " is not to be read");
}

std::string read_own_file(const Descriptor &directory, const std::string &name, std::size_t) {
    const auto &files = here().disk[job_of(directory)].files;
    const auto found = files.find(name);
    if (found == files.end())
        throw std::system_error(ENOENT, std::generic_category(), name);
    return found->second;
}

void replace_file(const Descriptor &directory, const std::string &name, std::string_view content,
                  mode_t, Survives) {
    here().system_call();
    here().disk[job_of(directory)].files[name] = content;
}

} // namespace vmall::common

namespace vmall::spank_vm {

namespace {

void fill(vmall_control_block &block, const Published &content) {
    block.generation = content.generation;
    block.mpl = content.mpl;
    block.core_count = content.core_count;
    block.cpu_count = static_cast<std::uint32_t>(content.cpus.size());
    std::copy(content.cpus.begin(), content.cpus.end(), block.cpus);
}

} // namespace

RuntimeDir::RuntimeDir(std::string path) : path_(std::move(path)) {}

common::Descriptor RuntimeDir::job(std::uint32_t job_id) const {
    if (!here().disk.count(job_id)) {
        here().system_call();
        here().disk[job_id];
    }
    return common::Descriptor(first_directory + static_cast<int>(job_id));
}

std::vector<std::uint32_t> RuntimeDir::job_ids() const {
    std::vector<std::uint32_t> ids;
    for (const auto &[job_id, directory] : here().disk)
        ids.push_back(job_id);
    return ids;
}

void RuntimeDir::remove_job(std::uint32_t job_id) const {
    const auto found = here().disk.find(job_id);
    if (found == here().disk.end())
        return;
    here().system_call();
    found->second.block = nullptr;
    here().system_call();
    found->second.files.clear();
    here().system_call();
    here().disk.erase(found);
}

RuntimeSegment::RuntimeSegment(uid_t) : key_(1) {}
RuntimeSegment::~RuntimeSegment() {}

void ControlFile::Unmap::operator()(vmall_control_block *) const {} // the machine's

ControlFile ControlFile::create(const common::Descriptor &directory, std::uint32_t job_id,
                                const Published &content, std::uint32_t runtime_key) {
    here().system_call();
    vmall_control_block *block = here().make_block();
    block->job_id = job_id;
    block->runtime_key = runtime_key;
    fill(*block, content);
    here().disk[job_of(directory)].block = block;
    return open(directory, job_id);
}

ControlFile ControlFile::open(const common::Descriptor &, std::uint32_t job_id) {
    return open_read_only("", job_id);
}

ControlFile ControlFile::open_read_only(const std::string &, std::uint32_t job_id) {
    const auto found = here().disk.find(job_id);
    if (found == here().disk.end() || !found->second.block)
        throw std::system_error(ENOENT, std::generic_category(), "cannot open control block");
    return ControlFile(Mapping(found->second.block));
}

void ControlFile::write(const Published &content) {
    here().system_call();
    fill(*block_, content);
}

Published ControlFile::read() const {
    Published content;
    content.generation = block_->generation;
    content.mpl = block_->mpl;
    content.cpus.assign(block_->cpus, block_->cpus + block_->cpu_count);
    return content;
}

} // namespace vmall::spank_vm
