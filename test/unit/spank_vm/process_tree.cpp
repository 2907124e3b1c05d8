// SPDX-License-Identifier: GPL-2.0-or-later
//
// A real job in miniature.
#include "process_tree.hpp"

#include "spank_vm/agent/processes.hpp"

#include <csignal>
#include <fstream>
#include <sched.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

[[noreturn]] void wait_for_the_end() {
    for (;;)
        pause();
}

[[noreturn]] void be_task(int threads, const std::function<void()> &body, int ready) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < threads; ++i)
        std::thread(wait_for_the_end).detach();
    if (write(ready, "r", 1) != 1)
        _exit(1);
    if (body)
        body();
    wait_for_the_end();
}

} // namespace

ProcessTree::ProcessTree(int tasks, int threads, std::function<void()> body) {
    int ready[2];
    if (pipe(ready) != 0)
        throw std::runtime_error("no pipe");
    stepd_ = fork();
    if (stepd_ < 0)
        throw std::runtime_error("no process");
    if (stepd_ == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (int i = 0; i < tasks; ++i)
            if (fork() == 0)
                be_task(threads, body, ready[1]);
        wait_for_the_end();
    }
    char byte;
    for (int i = 0; i < tasks; ++i)
        if (read(ready[0], &byte, 1) != 1)
            throw std::runtime_error("a task did not start");
    close(ready[0]);
    close(ready[1]);
}

ProcessTree::~ProcessTree() {
    kill(stepd_, SIGKILL);
    waitpid(stepd_, nullptr, 0);
}

std::vector<std::string> cpus_of_threads_below(pid_t stepd) {
    std::vector<std::string> lists;
    const auto process = vmall::agent::find_process(stepd);
    for (const auto &task : vmall::agent::ProcessTable::look().descendants({process.value()}))
        for (const pid_t thread : vmall::agent::threads(task.pid))
            lists.push_back(cpus_of(thread));
    return lists;
}

std::string cpus_of(pid_t thread) {
    std::ifstream status("/proc/" + std::to_string(thread) + "/status");
    std::string name, value;
    while (status >> name && name != "Cpus_allowed_list:")
        std::getline(status, value);
    status >> value;
    return value;
}

std::vector<std::uint16_t> usable_cpus() {
    cpu_set_t mask;
    std::vector<std::uint16_t> cpus;
    if (sched_getaffinity(0, sizeof mask, &mask) != 0)
        throw std::runtime_error("no affinity");
    for (std::uint16_t cpu = 0; cpu < CPU_SETSIZE && cpus.size() < 2; ++cpu)
        if (CPU_ISSET(cpu, &mask))
            cpus.push_back(cpu);
    return cpus.size() == 2 ? cpus : std::vector<std::uint16_t>();
}
