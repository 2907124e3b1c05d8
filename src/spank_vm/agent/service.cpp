// SPDX-License-Identifier: GPL-2.0-or-later
//
// Slurm 22.05 initialises SPANK before slurmd forks itself into the background, and no thread
// survives a fork. So, unless slurmd stays in the foreground, the agent starts in the process that
// has all the marks of the daemon: forked by a process that slurmd's forked, and in a session that
// this one made.
#include "spank_vm/agent/service.hpp"

#include "spank_vm/agent/agent.hpp"

extern "C" {
#include <slurm/spank.h>
}

#include <cerrno>
#include <cstring>
#include <exception>
#include <optional>
#include <pthread.h>
#include <unistd.h>

namespace vmall::agent {

namespace {

// SPANK callbacks have no context argument.
struct Service {
    std::optional<Settings> waiting; // to be started with, in the daemon
    pid_t first_child = 0;           // of slurmd as it was started; 0 in that process
    pid_t owner = 0;                 // process in which the agent runs
    // Bare: in a child that slurmd forks, exit() must not wait for threads that are not there.
    Agent *agent = nullptr;
};
Service service;

void start_here(Settings settings) {
    service.owner = getpid();
    service.agent = new Agent(std::move(settings));
}

// In every child that slurmd forks. Locks may be held by threads that are not here any more, so
// nothing is done but to start a thread, which waits for them.
void after_fork() noexcept {
    if (!service.waiting)
        return;
    if (service.first_child == 0) {
        service.first_child = getpid();
        return;
    }
    Settings settings = std::move(*service.waiting);
    service.waiting.reset();
    if (getsid(0) != service.first_child)
        return;
    try {
        start_here(std::move(settings));
    } catch (const std::exception &) {
        static const char message[] = "slurmd: error: cannot make a thread for the node agent\n";
        (void)!write(STDERR_FILENO, message, sizeof message - 1); // Slurm's log may be locked
    }
}

} // namespace

void start(Settings settings) {
    if (!settings.daemonizes) {
        start_here(std::move(settings));
        return;
    }
    service.waiting = std::move(settings);
    if (const int error = pthread_atfork(nullptr, nullptr, after_fork)) {
        service.waiting.reset();
        slurm_error("the node agent cannot start: %s", std::strerror(error));
    }
}

void stop() {
    if (service.owner != getpid())
        return;
    delete service.agent;
    service.agent = nullptr;
}

} // namespace vmall::agent
