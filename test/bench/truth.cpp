// SPDX-License-Identifier: GPL-2.0-or-later
//
// The useful share that is told of ranks, beside the true one that they measure themselves: for
// programs of which one rank waits for a part of its time, on quiet CPUs and beside others that
// compute, unfolded and folded, by each engine of the runtime. Arguments: only these situations.
// Root, and nobody else on the machine.
#include "fold_output.hpp"
#include "spank_vm/agent/awake_time.hpp"
#include "spank_vm/agent/rank_time.hpp"
#include "unit/libvmrt/stage.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <vector>

namespace {

using namespace vmall;
using namespace vmall::test;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr int seconds = 9;
constexpr std::array waits{0, 30, 50, 70, 90};
constexpr double close_to_truth = 0.05;

struct Engine {
    const char *name;
    bool open_mpi, generic;
};
constexpr Engine engines[] = {
    {"MPICH", false, false}, {"Open MPI", true, false}, {"generic", false, true}};

struct Situation {
    const char *name;
    bool folded, loaded;
    vmall_run_queues queues;

    // What is of use: all time outside MPI, also in line for a CPU that others have; but where
    // ranks of the job stand in line for each other, not in MPI, that they had a CPU.
    std::string counts() const { return queues == VMALL_QUEUES_KERNEL ? "computed" : "outside"; }
};
constexpr Situation situations[] = {{"unfolded", false, false, VMALL_QUEUES_DETECTED},
                                    {"unfolded, beside others", false, true, VMALL_QUEUES_DETECTED},
                                    {"taking turns", true, false, VMALL_QUEUES_LOCAL},
                                    {"taking turns, beside others", true, true, VMALL_QUEUES_LOCAL},
                                    {"yielding", true, false, VMALL_QUEUES_KERNEL},
                                    {"yielding, beside others", true, true, VMALL_QUEUES_KERNEL}};

// A process that computes on each CPU.
class Others {
  public:
    explicit Others(const Cpus &cpus) {
        for (const std::uint16_t cpu : cpus)
            pids_.push_back(start(cpu));
    }
    Others(const Others &) = delete;
    Others &operator=(const Others &) = delete;
    ~Others() {
        for (const pid_t pid : pids_) {
            kill(pid, SIGKILL);
            waitpid(pid, nullptr, 0);
        }
    }

  private:
    static pid_t start(std::uint16_t cpu) {
        const pid_t pid = fork();
        if (pid < 0)
            throw std::runtime_error("cannot fork");
        if (pid > 0)
            return pid;
        bind_this_process({cpu});
        for (volatile long i = 0;; i = i + 1)
            ;
    }
    std::vector<pid_t> pids_;
};

// What a rank's slot and the kernel say of it.
struct Look {
    pid_t pid = 0;
    std::uint64_t at = 0, waited = 0, asleep = 0, awake = 0; // ns
};

std::uint64_t now_ns() {
    return static_cast<std::uint64_t>(Clock::now().time_since_epoch().count());
}

std::optional<Look> look_at(const Stage &stage, std::uint32_t rank) {
    for (const vmall_runtime_slot &slot : const_cast<Stage &>(stage).runtime().slots) {
        const std::uint64_t owner = __atomic_load_n(&slot.owner, __ATOMIC_RELAXED);
        if (owner == 0 || slot.local_rank != rank)
            continue;
        const auto pid = static_cast<pid_t>(owner >> 32);
        return Look{pid, now_ns(), __atomic_load_n(&slot.waiting_ns, __ATOMIC_RELAXED),
                    __atomic_load_n(&slot.asleep_ns, __ATOMIC_RELAXED),
                    agent::awake_ns(pid).value_or(0)};
    }
    return std::nullopt;
}

// When the rank next tells what it waited: unfolded, that is once a second. One that does not wait
// has nothing to tell.
Look look_when_told(const Stage &stage, std::uint32_t rank) {
    const std::optional<Look> first = look_at(stage, rank);
    const auto end = Clock::now() + 1300ms;
    for (std::optional<Look> now = first; now && Clock::now() < end; now = look_at(stage, rank)) {
        if (now->waited != first->waited)
            return *now;
        std::this_thread::sleep_for(1ms);
    }
    if (!first)
        throw std::runtime_error("a rank has left too soon, or never came");
    return *first;
}

using Looks = std::array<Look, 2>;

Looks look(const Stage &stage) {
    return {look_when_told(stage, 0), look_when_told(stage, 1)};
}

double told(const Look &before, const Look &after) {
    agent::RankSlot slot;
    slot.waiting_ns = after.waited - before.waited;
    slot.asleep_ns = after.asleep - before.asleep;
    const std::uint64_t age = after.at - before.at;
    const agent::RankTime time = agent::rank_time(slot, age, after.awake - before.awake);
    return static_cast<double>(time.useful_ns) / static_cast<double>(age);
}

struct Shares {
    std::array<double, 2> told, truth;
};

Program start(const Stage &stage, const Engine &engine, int percent) {
    const std::string program = MPI_PROGRAMS "/waits";
    const std::vector<std::string> arguments{std::to_string(percent), std::to_string(seconds)};
    if (engine.generic)
        setenv("VMALL_ENGINE", "generic", 1);
    else
        unsetenv("VMALL_ENGINE");
    if (engine.open_mpi)
        return stage.start_task({OPEN_MPIEXEC, "--allow-run-as-root", "--bind-to", "none", "--host",
                                 "localhost:4", "--mca", "btl_tcp_if_include", "lo", "-n", "2",
                                 program + ".openmpi", arguments[0], arguments[1]});
    return stage.start(2, {program, arguments[0], arguments[1]});
}

Shares measure(const Engine &engine, const Situation &situation, int percent) {
    Stage stage;
    const Cpus cpus = usable_cpus();
    const Cpus used = situation.folded ? Cpus{cpus[0]} : Cpus{cpus[0], cpus[1]};
    stage.control().run_queues = situation.queues;
    stage.allot(used);
    std::optional<Others> others;
    if (situation.loaded)
        others.emplace(used);
    Program program = start(stage, engine, percent);
    std::this_thread::sleep_for(2s);
    const Looks before = look(stage);
    std::this_thread::sleep_for(std::chrono::seconds(seconds - 7));
    const Looks after = look(stage);
    const Outcome outcome = program.wait();
    if (!outcome.succeeded())
        throw std::runtime_error("waits failed: " + outcome.output);
    return {{told(before[0], after[0]), told(before[1], after[1])},
            {bench::number_after(situation.counts() + "_0=", outcome.output),
             bench::number_after(situation.counts() + "_1=", outcome.output)}};
}

// Prints a line; returns how far it is from the truth.
double compare(const Engine &engine, const Situation &situation, int percent) {
    const Shares shares = measure(engine, situation, percent);
    double furthest = 0;
    std::printf("| %s | %s | %d %%", engine.name, situation.name, percent);
    for (const std::size_t rank : {0, 1}) {
        const double off = std::abs(shares.told.at(rank) - shares.truth.at(rank));
        const char *mark = off > close_to_truth ? "**" : "";
        furthest = std::max(furthest, off);
        std::printf(" | %s%.2f%s | %.2f", mark, shares.told.at(rank), mark, shares.truth.at(rank));
    }
    std::printf(" |\n");
    std::fflush(stdout);
    return furthest;
}

// The situations whose names these are, or all.
void compare_all(const std::vector<std::string> &names) {
    double furthest = 0;
    std::printf("| engine | ranks are | waits for | told | true | told of the other | true |\n"
                "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (const Situation &situation : situations)
        if (names.empty() || std::count(names.begin(), names.end(), situation.name) > 0)
            for (const Engine &engine : engines)
                for (const int percent : waits)
                    furthest = std::max(furthest, compare(engine, situation, percent));
    std::printf("\nFurthest from the truth: %.2f\n", furthest);
}

} // namespace

int main(int count, char **arguments) try {
    if (!can_be_staged(2))
        return 1;
    compare_all({arguments + 1, arguments + count});
    return 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "truth: error: %s\n", error.what());
    return 1;
}
