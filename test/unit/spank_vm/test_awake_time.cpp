// SPDX-License-Identifier: GPL-2.0-or-later
//
// Processes that sleep, compute, and stand in line for a CPU.
#include "spank_vm/agent/awake_time.hpp"

#include "process_tree.hpp"
#include "run.hpp"
#include "spank_vm/agent/processes.hpp"

#include <fstream>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace vmall::agent;

namespace {

constexpr std::uint64_t moment = 50'000'000;

std::vector<Process> tasks_of(const ProcessTree &tree) {
    return ProcessTable::look().descendants({find_process(tree.stepd()).value()});
}

void compute() {
    for (volatile unsigned i = 0;; i = i + 1) {
    }
}

void compute_on_the_first_cpu() {
    cpu_set_t cpus;
    sched_getaffinity(0, sizeof cpus, &cpus);
    int first = 0;
    while (!CPU_ISSET(first, &cpus))
        ++first;
    CPU_ZERO(&cpus);
    CPU_SET(first, &cpus);
    sched_setaffinity(0, sizeof cpus, &cpus);
    compute();
}

// The kernel has nothing in its account before a process' first tick or sleep.
std::uint64_t awake_of(const Process &task) {
    for (;;) {
        if (const auto awake = awake_ns(task.pid))
            return *awake;
        usleep(1000);
    }
}

START_TEST(a_process_that_sleeps_is_not_awake) {
    const ProcessTree tree(1, 1);
    const Process task = tasks_of(tree).front();
    while (awake_of(task) + moment > age_ns(task))
        usleep(1000);
}
END_TEST

START_TEST(a_process_that_computes_is_awake) {
    const ProcessTree tree(1, 0, compute);
    const Process task = tasks_of(tree).front();
    while (awake_of(task) < moment)
        usleep(1000);
}
END_TEST

START_TEST(who_stands_in_line_for_a_cpu_is_awake) {
    const ProcessTree tree(2, 0, compute_on_the_first_cpu);
    for (const Process &task : tasks_of(tree)) {
        clockid_t clock{};
        ck_assert_int_eq(clock_getcpuclockid(task.pid, &clock), 0);
        for (std::uint64_t on_cpu = 0; awake_of(task) < on_cpu + moment;) {
            usleep(1000);
            timespec time{};
            clock_gettime(clock, &time);
            on_cpu = static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
                     static_cast<std::uint64_t>(time.tv_nsec);
        }
    }
}
END_TEST

START_TEST(nobody_knows_of_a_process_that_is_gone) {
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    ck_assert_int_eq(waitpid(child, nullptr, 0), child);
    ck_assert(!awake_ns(child));
}
END_TEST

} // namespace

int main() {
    constexpr int skipped = 77;
    if (!std::ifstream("/proc/self/schedstat")) // CONFIG_SCHED_INFO
        return skipped;
    TCase *tests = tcase_create("awake time");
    tcase_add_test(tests, a_process_that_sleeps_is_not_awake);
    tcase_add_test(tests, a_process_that_computes_is_awake);
    tcase_add_test(tests, who_stands_in_line_for_a_cpu_is_awake);
    tcase_add_test(tests, nobody_knows_of_a_process_that_is_gone);
    return run("awake_time", tests);
}
