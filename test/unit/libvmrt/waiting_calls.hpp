// SPDX-License-Identifier: GPL-2.0-or-later
//
// Judges what `calls` and fortran_calls.F90 print about the calls of MPI that wait.
#pragma once

#include "outcome.hpp"

#include <cstdio>
#include <cstring>
#include <iterator>
#include <sstream>

namespace vmall::test {

// How long rank 0 computes in each call, as an argument and in seconds.
inline constexpr char late_ms[] = "40";
inline constexpr double late = 0.040;

// Ranks that poll take as much CPU time as the late one on the same CPU computes or sleeps,
// whatever else the machine does. Some calls do something for it, too.
inline double most_cpu(const char *call) {
    const struct {
        const char *name;
        double most;
    } work[] = {
        {"file", 1},
        {"finalize", late},
    };
    for (const auto &one : work)
        if (std::strcmp(call, one.name) == 0)
            return one.most;
    return late / 2;
}

// But those that are `left_out`, as "NAME NAME".
inline void assert_waits_leave_the_cpu(const Outcome &outcome, int fewest_calls,
                                       const char *left_out = "") {
    assert_succeeded(outcome);
    ck_assert_contains(outcome.output, "calls done\n");
    std::istringstream lines(outcome.output);
    int calls = 0;
    for (std::string line; std::getline(lines, line);) {
        char name[32];
        double cpu = 0, wall = 0;
        if (std::sscanf(line.c_str(), "calls %31s cpu=%lf wall=%lf", name, &cpu, &wall) != 3)
            continue;
        ++calls;
        if (std::strstr(left_out, name) != nullptr)
            continue;
        ck_assert_msg(cpu < most_cpu(name), "%s: %.4f s of CPU time while waiting", name, cpu);
    }
    ck_assert_int_ge(calls, fewest_calls);
}

} // namespace vmall::test
