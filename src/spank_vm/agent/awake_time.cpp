// SPDX-License-Identifier: GPL-2.0-or-later
//
// The process' CPU clock, which threads that have ended count in, and /proc/PID/task/TID/schedstat.
#include "spank_vm/agent/awake_time.hpp"

#include "spank_vm/agent/processes.hpp"

#include <ctime>
#include <fstream>
#include <string>

namespace vmall::agent {

namespace {

std::optional<std::uint64_t> cpu_time_ns(pid_t pid) {
    constexpr std::uint64_t second = 1'000'000'000;
    clockid_t clock{};
    timespec time{};
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(time.tv_sec) * second +
           static_cast<std::uint64_t>(time.tv_nsec);
}

// A kernel that keeps no account shows zeros, or has no such file.
std::optional<std::uint64_t> time_in_line_ns(const std::string &directory) {
    std::ifstream file(directory + "/schedstat");
    std::uint64_t on_cpu = 0, in_line = 0;
    if (!(file >> on_cpu >> in_line) || on_cpu == 0)
        return std::nullopt;
    return in_line;
}

} // namespace

std::optional<std::uint64_t> awake_ns(pid_t pid) {
    const std::string directory = "/proc/" + std::to_string(pid);
    const auto on_cpu = cpu_time_ns(pid);
    if (!on_cpu || !time_in_line_ns(directory))
        return std::nullopt;
    std::uint64_t awake = *on_cpu;
    for (const pid_t thread : threads(pid))
        awake += time_in_line_ns(directory + "/task/" + std::to_string(thread)).value_or(0);
    return awake;
}

} // namespace vmall::agent
