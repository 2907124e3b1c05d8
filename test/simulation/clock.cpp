// SPDX-License-Identifier: GPL-2.0-or-later
//
// Linked in place of what the C and C++ libraries have.
#include "clock.hpp"

#include <cerrno>
#include <pthread.h>

using vmall::simulation::now;

extern "C" std::time_t time(std::time_t *result) noexcept {
    const std::time_t wall = now.wall();
    if (result)
        *result = wall;
    return wall;
}

// Nobody else is there to end a wait before its time is up.
extern "C" int pthread_cond_clockwait(pthread_cond_t *, pthread_mutex_t *, clockid_t,
                                      const timespec *until) {
    const auto end = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::seconds(until->tv_sec) + std::chrono::nanoseconds(until->tv_nsec));
    now.steady = std::max(now.steady, end + std::chrono::milliseconds(1));
    return ETIMEDOUT;
}

std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
    return time_point(vmall::simulation::now.steady);
}
