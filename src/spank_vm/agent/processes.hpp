// SPDX-License-Identifier: GPL-2.0-or-later
//
// Processes and threads of a job, as /proc shows them now.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <unordered_map>
#include <vector>

namespace vmall::agent {

// A process for good: its number may be used again, with another start time.
struct Process {
    pid_t pid = 0;
    std::uint64_t start_time = 0; // clock ticks since the machine started
    bool operator==(const Process &other) const {
        return pid == other.pid && start_time == other.start_time;
    }
    bool operator!=(const Process &other) const { return !(*this == other); }
};

// The process that has this number now, if any. Throws std::runtime_error if that cannot be told,
// as do all that look for processes.
std::optional<Process> find_process(pid_t pid);

bool is_alive(const Process &process);

// Since it was started, by the clock that its start time is of; 0 if that is still to come.
std::uint64_t age_ns(const Process &process);

struct FamilyMember {
    Process process;
    pid_t parent = 0;
    pid_t session = 0;
    std::string name; // of the program, as the kernel cuts it; a process may give itself another
};

// All processes of the machine, as one look at /proc has found them. A look takes milliseconds: use
// one for as many questions as it is new enough for.
class ProcessTable {
  public:
    // Nobody, until there is a look.
    ProcessTable() = default;
    // Throws std::runtime_error if /proc cannot be read.
    static ProcessTable look();

    bool has(const Process &process) const;
    // While a session is in use its number is not given to a process: whoever has it then made the
    // session.
    bool has_number(pid_t pid) const { return with_number(pid).has_value(); }
    std::vector<FamilyMember> everybody() const;
    // Children of the processes, their children and so on, without the processes themselves;
    // parents before their children.
    std::vector<FamilyMember> family(const std::vector<Process> &ancestors) const;
    // The same, without how they are related.
    std::vector<Process> descendants(const std::vector<Process> &ancestors) const;
    // Who has this number, if anybody.
    std::optional<Process> with_number(pid_t pid) const;

  private:
    std::unordered_map<pid_t, std::uint64_t> start_times_;
    std::unordered_multimap<pid_t, FamilyMember> children_; // by parent
};

// A thread of the process for good, as Process is; nothing if it has ended or its number is used
// again, by whomever.
std::optional<Process> find_thread(const Process &process, pid_t thread);

// Whose affinity a thread that has just been made has: its process's first thread's, or its
// parent's; nothing once it is gone.
std::optional<pid_t> model_of(pid_t thread);

// Who started it, whatever program it runs since; nothing once it is gone.
std::optional<uid_t> real_user(pid_t pid);

// Whether its program was started without a dynamic linker, so that no library can be preloaded.
// False once the process is gone.
bool is_static(pid_t pid);

// Empty once the process is gone.
std::vector<pid_t> threads(pid_t pid);

// Its group of cgroup v2, below where that is mounted, such as "/system.slice/x.service"; empty if
// the process is gone or the machine has only cgroup v1.
std::string unified_group(pid_t pid);

} // namespace vmall::agent
