// SPDX-License-Identifier: GPL-2.0-or-later
//
// The system calls behind shared words.
#include "libvmrt/shared_word.hpp"

#include <cerrno>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace vmall::runtime {

bool futex_sleep(std::uint32_t &word, std::uint32_t value, std::uint64_t nanoseconds) {
    const timespec timeout{0, static_cast<long>(nanoseconds)};
    return syscall(SYS_futex, &word, FUTEX_WAIT, value, &timeout, nullptr, 0) == 0 ||
           errno != ETIMEDOUT;
}

void futex_wake_one(std::uint32_t &word) {
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

std::uint64_t monotonic_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
           static_cast<std::uint64_t>(now.tv_nsec);
}

} // namespace vmall::runtime
