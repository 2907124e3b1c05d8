// SPDX-License-Identifier: GPL-2.0-or-later
//
// The system calls behind shared words.
#include "libvmrt/shared_word.hpp"

#include <cerrno>
#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace vmall::runtime {
namespace {

constexpr std::uint64_t second_ns = 1'000'000'000;
constexpr std::uint64_t look_ns = 20'000'000;

std::uint64_t read_clock(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * second_ns +
           static_cast<std::uint64_t>(now.tv_nsec);
}

#ifdef SYS_futex_waitv
// False where there is no such call: on Linux before 5.16, in some containers, and under valgrind
// 3.19, which warns at each try.
bool sleep_on_both(const std::uint32_t &first, std::uint32_t first_value,
                   const std::uint32_t &second, std::uint32_t second_value,
                   std::uint64_t nanoseconds) {
    static bool is_missing = false;
    if (load_relaxed(is_missing))
        return false;
    const std::uint64_t end = monotonic_ns() + nanoseconds;
    const timespec deadline{static_cast<time_t>(end / second_ns),
                            static_cast<long>(end % second_ns)};
    const futex_waitv words[] = {
        {first_value, reinterpret_cast<std::uintptr_t>(&first), FUTEX_32, 0},
        {second_value, reinterpret_cast<std::uintptr_t>(&second), FUTEX_32, 0}};
    if (syscall(SYS_futex_waitv, words, 2, 0, &deadline, CLOCK_MONOTONIC) >= 0)
        return true;
    store_relaxed(is_missing, errno == ENOSYS || errno == EPERM);
    return !load_relaxed(is_missing);
}
#endif

} // namespace

bool futex_sleep(const std::uint32_t &word, std::uint32_t value, std::uint64_t nanoseconds) {
    const timespec timeout{0, static_cast<long>(nanoseconds)};
    return syscall(SYS_futex, &word, FUTEX_WAIT, value, &timeout, nullptr, 0) == 0 ||
           errno != ETIMEDOUT;
}

void futex_sleep_on_two(const std::uint32_t &first, std::uint32_t first_value,
                        const std::uint32_t &second, std::uint32_t second_value,
                        std::uint64_t nanoseconds) {
#ifdef SYS_futex_waitv
    if (sleep_on_both(first, first_value, second, second_value, nanoseconds))
        return;
#endif
    if (load(second) != second_value)
        return;
    const timespec timeout{0, static_cast<long>(nanoseconds < look_ns ? nanoseconds : look_ns)};
    syscall(SYS_futex, &first, FUTEX_WAIT, first_value, &timeout, nullptr, 0);
}

void futex_wake_one(std::uint32_t &word) {
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

void futex_wake_all(std::uint32_t &word) {
    syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

std::uint64_t wall_clock_ns() {
    return read_clock(CLOCK_REALTIME);
}

std::uint64_t monotonic_ns() {
    return read_clock(CLOCK_MONOTONIC);
}

std::uint64_t cpu_time_ns() {
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

} // namespace vmall::runtime
