// SPDX-License-Identifier: GPL-2.0-or-later
//
// A job's control block and runtime page without Slurm, and MPI programs between them: what the
// agent would do, done by a test. Needs root, because the in-job runtime believes root's control
// block only.
#pragma once

#include "../limit.hpp"
#include "layout/control_block.h"
#include "layout/runtime_page.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace vmall::test {

using Cpus = std::vector<std::uint16_t>;

// What main() returns where its tests cannot run: Automake's word for it.
inline constexpr int skipped = 77;

// Says so if there can be no Stage here, or fewer CPUs than these.
bool can_be_staged(std::size_t cpus);

// CPUs this process may run on.
Cpus usable_cpus();

// This process and those it will start.
void bind_this_process(const Cpus &cpus);

// Whether every thread of the process may run on these CPUs only. A process that ended complies.
bool runs_inside(pid_t process, const Cpus &cpus);

struct Outcome {
    bool hung;  // it had to be killed at the limit
    int status; // as of waitpid
    std::string output;
    bool succeeded() const { return !hung && status == 0; }
};

// An mpiexec under way. Whoever lets go of one that was not waited for kills it and its ranks.
class Program {
  public:
    Program(const std::vector<std::string> &command, const std::vector<std::string> &environment);
    Program(Program &&other) noexcept;
    Program(const Program &) = delete;
    Program &operator=(Program &&) = delete;
    ~Program();

    // Kills it at the limit.
    Outcome wait(std::chrono::seconds longest = limit);
    // Waits until it has printed this, after what was awaited last; false if it ended without.
    bool await(const std::string &text);
    bool has_ended() const;
    pid_t pid() const { return pid_; }

  private:
    enum class Read { something, end, nothing };
    Read read_until(std::chrono::steady_clock::time_point deadline);
    void kill_all() const;
    pid_t pid_;
    int output_;
    std::string text_;        // what it has printed
    std::size_t awaited_ = 0; // so much of it
};

extern const std::string libvmrt; // path

// The command in namespaces of its own, by options of unshare(1), and whether this machine lets it.
std::vector<std::string> unshared(const std::vector<std::string> &options,
                                  const std::vector<std::string> &command);
bool can_unshare(const std::vector<std::string> &options);

class Stage {
  public:
    Stage(); // an allotment of all usable CPUs; throws std::system_error
    Stage(const Stage &) = delete;
    Stage &operator=(const Stage &) = delete;
    ~Stage();

    void allot(const Cpus &cpus, std::uint32_t flags = 0, std::uint32_t mpl = 1);
    vmall_control_block &control() { return *control_; }
    vmall_runtime_page &runtime() { return *runtime_; }
    std::string control_path() const { return folder_ + "/control"; }
    // Of the segment that the runtime page is.
    int runtime_id() const { return runtime_id_; }

    // Starts `ranks` ranks of the command, with the runtime preloaded or as any user would.
    Program start(int ranks, const std::vector<std::string> &command) const;
    static Program start_stock(int ranks, const std::vector<std::string> &command);
    // The command itself, without a launcher, as a task of the job; `preload` goes into LD_PRELOAD.
    Program start_task(const std::vector<std::string> &command,
                       const std::string &preload = libvmrt) const;
    // `ranks` ranks each for these stages, as if they were nodes, of one program.
    static Program start_nodes(const std::vector<const Stage *> &nodes, int ranks,
                               const std::vector<std::string> &command);
    // The processes that hold a slot of the runtime page.
    std::vector<pid_t> ranks() const;
    // Follows the only program on the stage to its end: CPU time of its ranks, by their number,
    // since they took their slots; to load a program takes the longer the busier the machine is.
    std::map<std::uint32_t, double> cpu_seconds_of_ranks(const Program &program) const;

  private:
    std::string folder_;
    vmall_control_block *control_;
    int runtime_id_;
    vmall_runtime_page *runtime_;
};

} // namespace vmall::test
