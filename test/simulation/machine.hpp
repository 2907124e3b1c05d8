// SPDX-License-Identifier: GPL-2.0-or-later
//
// A node as its kernel and its disk have it: processes, cpusets, sockets, the agent's files. What
// the agent asks the system for is answered from the machine that it runs on (here()).
#pragma once

#include "layout/control_block.h"
#include "random.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace vmall::simulation {

using Cores = std::uint32_t; // a bit for each

constexpr bool is_inside(Cores some, Cores all) {
    return (some & ~all) == 0;
}

Cores as_bits(const std::vector<std::uint32_t> &cores);
std::vector<std::uint32_t> as_list(Cores cores);
std::string as_text(Cores cores);

// A start of a job: the job's number, and the count of its requeues too, may come again.
using Start = std::uint64_t;

struct StepName {
    std::uint32_t job = 0;
    std::uint32_t step = 0;
    bool operator<(const StepName &other) const {
        return job != other.job ? job < other.job : step < other.step;
    }
};

struct Process {
    std::uint64_t start_time = 0;
    pid_t parent = 1;
    pid_t session = 0;
    uid_t user = 0;
    StepName step;
    Start start = 0;
    bool is_stepd = false;
    bool has_begun = false; // the user's program; before, it only waits to be placed
    bool has_libvmrt = false;
    bool is_left = false;     // by the job's epilog: Slurm's affair
    bool is_stranger = false; // of no job: it may run everywhere
    Cores affinity = 0;
};

// Thrown, in place of a system call, into an agent that is killed.
struct AgentKilled {};

class Machine {
  public:
    Machine(std::string name, std::uint32_t core_count, bool makes_cpusets);

    const std::string name;
    const Cores all;
    const bool makes_cpusets;

    struct JobCpuset {
        Cores cores = 0;
        std::map<std::uint32_t, Cores> steps;
    };
    struct JobDirectory {
        std::map<std::string, std::string> files;
        vmall_control_block *block = nullptr; // in the file `control`
    };
    std::map<pid_t, Process> processes;
    std::map<std::uint32_t, JobCpuset> cpusets; // by job
    std::map<StepName, bool> sockets;           // whether somebody listens
    std::map<std::uint32_t, JobDirectory> disk; // by job

    pid_t start(Process process);
    // Those that it started go on as children of the first process.
    void end(pid_t pid);
    Cores cpuset_of(const Process &process) const;
    // As sched_setaffinity(). False: no core would be left.
    bool bind(Process &process, Cores cores);
    void resize_cpuset(StepName step, Cores cores);
    vmall_control_block *make_block();

    // Called by the agent's every system call that changes something or looks at processes: between
    // any two, it may be killed, and programs go on.
    void system_call();
    void run_agent(Random chances, std::optional<int> calls_until_killed);
    bool agent_is_killed() const { return killed_; }
    // The agent is about to move it: it may have ended, and its number be a stranger's.
    void perhaps_give_number_again(pid_t pid);
    bool agent_is_at_work = false;
    bool has_clipped = false; // what the agent bound a process to: its cpuset was not that wide yet

    bool let_programs_rest = false; // while the agent runs

    // A program that runs makes a process, or goes where its job's control block says.
    void let_a_program_act(Random &chances);

  private:
    pid_t last_pid_ = 100;
    std::vector<std::unique_ptr<vmall_control_block>> blocks_; // mappings outlive their files
    Random chances_{0};
    std::optional<int> calls_until_killed_;
    bool killed_ = false;
};

// On which an agent or a slurmstepd runs now.
Machine &here();

class Here {
  public:
    explicit Here(Machine &machine);
    Here(const Here &) = delete;
    Here &operator=(const Here &) = delete;
    ~Here();

  private:
    Machine *const before_;
};

} // namespace vmall::simulation
