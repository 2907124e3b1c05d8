// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is left of a CPU for other processes of a node beside processes that take turns, as folded
// ranks do, without pauses and with those of libvmrt (libvmrt/pause.hpp). Root, and nobody else on
// the machine.
//
// On each CPU four processes of a cpu cgroup hand a turn on by futex every 20 us. In another
// cgroup, on the first CPU, one process computes and one wakes every 10 ms.
#include "fold_row.hpp"
#include "libvmrt/pause.hpp"
#include "libvmrt/shared_word.hpp"
#include "unit/libvmrt/cpu_group.hpp"
#include "unit/libvmrt/stage.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

namespace runtime = vmall::runtime;
using vmall::test::CpuGroup;

namespace {

constexpr std::uint64_t millisecond = 1'000'000; // ns
constexpr std::uint64_t length = 2000 * millisecond, turn = 20'000, nap = 10 * millisecond;
constexpr std::uint32_t processes_on_a_cpu = 4;

struct Side {
    const char *name;
    std::size_t cpus;
    bool pauses;
};
constexpr Side sides[] = {{"on one CPU", 1, false},
                          {"on two CPUs", 2, false},
                          {"on two CPUs, pausing 1 ms in 50", 2, true}};

struct Shared {
    std::uint32_t turn_of[2];             // on each CPU, the number of the process whose turn it is
    std::uint64_t computed, longest_wait; // ns
};

void take_turns(Shared &shared, std::size_t cpu, std::uint32_t number, bool pauses,
                std::uint64_t end) {
    std::uint32_t &word = shared.turn_of[cpu];
    while (runtime::monotonic_ns() < end) {
        const std::uint32_t now = runtime::load(word);
        if (now != number) {
            runtime::futex_sleep(word, now, nap);
            continue;
        }
        for (const std::uint64_t until = runtime::monotonic_ns() + turn;
             runtime::monotonic_ns() < until;)
            ;
        const std::uint64_t pause = pauses ? runtime::left_of_pause(runtime::wall_clock_ns()) : 0;
        if (pause > 0)
            runtime::futex_sleep(word, number, pause);
        __atomic_store_n(&word, (number + 1) % processes_on_a_cpu, __ATOMIC_SEQ_CST);
        runtime::futex_wake_all(word);
    }
}

void compute(Shared &shared, std::uint64_t end) {
    while (runtime::monotonic_ns() < end)
        shared.computed = runtime::cpu_time_ns();
}

// Also one that gets its first turn after the end has waited.
void wake_now_and_then(Shared &shared, std::uint64_t end) {
    for (std::uint64_t before = end - length; before < end;) {
        usleep(nap / 1000);
        const std::uint64_t now = runtime::monotonic_ns();
        shared.longest_wait = std::max(shared.longest_wait, now - before - nap);
        before = now;
    }
}

template <typename Action>
void start(const CpuGroup &group, std::uint16_t cpu, Action action) {
    const pid_t process = fork();
    if (process < 0)
        throw std::runtime_error("cannot fork");
    if (process > 0)
        return;
    group.enter();
    vmall::test::bind_this_process({cpu});
    action();
    _exit(0);
}

// Of one run: what it leaves to others.
Shared measure(const Side &side, const CpuGroup &job, const CpuGroup &others) {
    void *memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        throw std::runtime_error("no memory");
    Shared &shared = *new (memory) Shared{};
    const vmall::test::Cpus cpus = vmall::test::usable_cpus();
    const std::uint64_t end = runtime::monotonic_ns() + length;
    start(
        others, cpus[0], [&] { compute(shared, end); });
    start(others, cpus[0], [&] { wake_now_and_then(shared, end); });
    for (std::size_t cpu = 0; cpu < side.cpus; ++cpu)
        for (std::uint32_t number = 0; number < processes_on_a_cpu; ++number)
            start(job, cpus[cpu], [&] { take_turns(shared, cpu, number, side.pauses, end); });
    while (wait(nullptr) > 0)
        ;
    const Shared result = shared;
    munmap(memory, sizeof(Shared));
    return result;
}

void print(const char *what, const std::vector<double> &values) {
    const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
    std::printf("  %s %7.2f (%.2f to %.2f)", what, vmall::bench::median(values), *lowest, *highest);
}

void compare(std::size_t repetitions) {
    const CpuGroup job("job"), others("others");
    if (!job.is_made() || !others.is_made() || vmall::test::usable_cpus().size() < 2)
        throw std::runtime_error("needs root, cpu cgroups of version 1, and two CPUs");
    std::vector<double> waits_before;
    for (const Side &side : sides) {
        std::vector<double> shares, waits, ratios;
        for (std::size_t i = 0; i < repetitions; ++i) {
            const Shared left = measure(side, job, others);
            shares.push_back(100 * static_cast<double>(left.computed) / length);
            waits.push_back(static_cast<double>(left.longest_wait) / millisecond);
            if (side.pauses)
                ratios.push_back(waits.back() / waits_before[i]);
        }
        std::printf("%-32s", side.name);
        print("computes, %:", shares);
        print("longest wait, ms:", waits);
        if (side.pauses)
            print("over without pauses:", ratios);
        std::printf("\n");
        std::fflush(stdout);
        waits_before = waits;
    }
}

} // namespace

int main(int count, char **arguments) try {
    const long repetitions = count > 1 ? std::atol(arguments[1]) : 5;
    if (count > 2 || repetitions < 1 || repetitions > 1000) {
        std::fprintf(stderr, "usage: starvation [REPETITIONS]\n");
        return 2;
    }
    compare(static_cast<std::size_t>(repetitions));
    return 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "starvation: error: %s\n", error.what());
    return 1;
}
