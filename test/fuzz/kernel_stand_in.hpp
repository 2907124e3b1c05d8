// SPDX-License-Identifier: GPL-2.0-or-later
//
// What libvmrt asks the kernel, answered without it: no call waits, time passes by itself, threads
// are bound nowhere, and nobody else is looked up. For one file of a program.
#pragma once

#include "libvmrt/mapped_file.hpp"
#include "libvmrt/own_thread.hpp"
#include "libvmrt/process.hpp"
#include "libvmrt/shared_word.hpp"
#include "libvmrt/threads.hpp"
#include "libvmrt/wakeup.hpp"

#include <functional>
#include <pthread.h>
#include <sched.h>

namespace vmall::fuzz {

struct Kernel {
    std::uint64_t now = 0;                              // nanoseconds
    std::uint64_t slept = 0;                            // of `now`
    std::function<bool()> sleep = [] { return false; }; // whether a sleeper is woken
    void *control = nullptr, *page = nullptr;           // what there is to map
    runtime::OwnThread thread = {};                     // that was started last
};
inline Kernel kernel;

inline constexpr runtime::Owner self = std::uint64_t{2} << 32 | 1;

struct ThreadSleeps {};

} // namespace vmall::fuzz

namespace vmall::runtime {

using fuzz::kernel;

bool futex_sleep(const std::uint32_t &word, std::uint32_t value, std::uint64_t nanoseconds) {
    if (load(word) != value)
        return true;
    const bool woken = kernel.sleep();
    const std::uint64_t slept = woken ? nanoseconds / 2 + 1 : nanoseconds;
    kernel.now += slept;
    kernel.slept += slept;
    return woken;
}

// Only the follower does: its turn is over.
void futex_sleep_on_two(const std::uint32_t &, std::uint32_t, const std::uint32_t &, std::uint32_t,
                        std::uint64_t) {
    throw fuzz::ThreadSleeps();
}

void futex_wake_one(std::uint32_t &) {}
void futex_wake_all(std::uint32_t &) {}

std::uint64_t monotonic_ns() {
    return kernel.now += 100;
}

std::uint64_t wall_clock_ns() {
    return kernel.now;
}

std::uint64_t cpu_time_ns() {
    return kernel.now / 2;
}

Owner this_process() {
    return fuzz::self;
}

// By its number: some live, some do not.
bool is_gone(Owner owner) {
    return owner % 4 == 0;
}

Activity activity_of(Owner owner) {
    return is_gone(owner) ? Activity::gone : owner % 4 == 3 ? Activity::asleep : Activity::runnable;
}

LocalRank local_rank() {
    return {0, 4};
}

// That of the page, which is of zeros.
std::uint32_t pid_namespace() {
    return 0;
}

const void *map_file(const char *, std::size_t) {
    return kernel.control;
}

void *attach_segment(std::uint32_t, std::size_t) {
    return kernel.page;
}

bool start(const OwnThread &thread) {
    kernel.thread = thread;
    return true;
}

Threads::Threads(const char *) : folder_(-1) {}
Threads::~Threads() {}
pid_t Threads::next() {
    return 0;
}
void Threads::start_again() {}

Wakeup wakeup;
std::uint64_t Wakeup::limit(std::uint64_t nanoseconds) {
    return nanoseconds;
}
bool Wakeup::arm(std::uint32_t &) {
    return true;
}
bool Wakeup::disarm() {
    return false;
}
void Wakeup::stop() {}

} // namespace vmall::runtime

extern "C" {

int sched_yield() noexcept {
    return 0;
}

int sched_setaffinity(pid_t, std::size_t, const cpu_set_t *) noexcept {
    return 0;
}

int sched_getaffinity(pid_t, std::size_t, cpu_set_t *cpus) noexcept {
    CPU_ZERO(cpus);
    for (int cpu = 0; cpu < 8; ++cpu)
        CPU_SET(cpu, cpus);
    return 0;
}

int sched_getcpu() noexcept {
    return 0;
}

int pthread_atfork(void (*)(), void (*)(), void (*)()) {
    return 0;
}
}
