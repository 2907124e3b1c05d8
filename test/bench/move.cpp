// SPDX-License-Identifier: GPL-2.0-or-later
//
// How fast a job follows its allotment: from the agent's write until every thread of eight ranks
// that compute and communicate on one CPU is bound to another one. Root, and nobody else on the
// machine.
#include "fold_row.hpp"
#include "unit/libvmrt/stage.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sched.h>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <thread>

using namespace std::chrono_literals;
using namespace vmall::test;
namespace bench = vmall::bench;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int rank_count = 8;
constexpr auto patience = 2s; // for one move

std::vector<pid_t> threads_of(const std::vector<pid_t> &processes) {
    std::vector<pid_t> threads;
    for (const pid_t process : processes)
        for (const auto &entry :
             std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task"))
            threads.push_back(std::stoi(entry.path().filename()));
    return threads;
}

bool all_inside(const std::vector<pid_t> &threads, std::uint16_t cpu) {
    for (const pid_t thread : threads) {
        cpu_set_t set;
        if (sched_getaffinity(thread, sizeof set, &set) != 0 || CPU_COUNT(&set) != 1 ||
            !CPU_ISSET(cpu, &set))
            return false;
    }
    return true;
}

// Else we would measure how long we ourselves wait for a CPU.
void go_first() {
    if (setpriority(PRIO_PROCESS, 0, -20) != 0)
        throw std::runtime_error("needs root");
}

double milliseconds_of_a_move(Stage &stage, const std::vector<pid_t> &threads, std::uint16_t cpu) {
    const auto start = Clock::now();
    stage.allot({cpu});
    while (!all_inside(threads, cpu)) {
        if (Clock::now() > start + patience)
            throw std::runtime_error("a thread did not follow");
        std::this_thread::sleep_for(50us);
    }
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::vector<double> measure(std::size_t moves) {
    Stage stage;
    const Cpus cpus = usable_cpus();
    if (cpus.size() < 2)
        throw std::runtime_error("two CPUs are needed");
    stage.allot({cpus[0], cpus[1]});
    const Program program = stage.start(rank_count, {MPI_PROGRAMS "/ring", "100000000", "50"});
    const auto deadline = Clock::now() + 20s;
    while (stage.ranks().size() < rank_count) {
        if (Clock::now() > deadline)
            throw std::runtime_error("the ranks did not attach");
        std::this_thread::sleep_for(2ms);
    }
    std::this_thread::sleep_for(300ms);
    const std::vector<pid_t> threads = threads_of(stage.ranks());
    go_first();
    std::vector<double> times;
    for (std::size_t i = 0; i < moves; ++i) {
        times.push_back(milliseconds_of_a_move(stage, threads, cpus[i % 2]));
        std::this_thread::sleep_for(30ms);
    }
    std::sort(times.begin(), times.end());
    return times;
}

bench::Row row_of(const std::vector<double> &times) {
    bench::Row row;
    row.table = "move";
    row.program = "ring";
    row.mpl = row.ranks = rank_count;
    row.side = "ours";
    row.cpus = 1;
    row.values = times;
    return row;
}

} // namespace

int main(int argc, char **argv) {
    const long moves = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 200;
    if (argc > 3 || moves < 1 || moves > 1'000'000) {
        std::fprintf(stderr, "usage: move [MOVES [CSV]]\nCSV: of fold, gets a row more\n");
        return 2;
    }
    try {
        const std::vector<double> times = measure(static_cast<std::size_t>(moves));
        const auto percentile = [&](std::size_t percent) {
            return times[(times.size() - 1) * percent / 100];
        };
        std::printf("milliseconds of %zu moves of %d ranks: median %.2f, p90 %.2f, p99 %.2f, "
                    "highest %.2f\n",
                    times.size(), rank_count, percentile(50), percentile(90), percentile(99),
                    times.back());
        if (argc > 2)
            bench::Record(argv[2]).add(row_of(times));
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "move: %s\n", error.what());
        return 1;
    }
}
