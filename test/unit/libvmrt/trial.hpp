// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the tests of preloaded programs share: `ring` and its right result, sums of the ranks'
// counters, and waiting for something to happen.
#pragma once

#include "../../mpi/work.h"
#include "outcome.hpp"

#include <cstdio>
#include <thread>

namespace vmall::test {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

inline constexpr auto limit = 50s;

// What `ring` computes, one rank after the other.
inline std::string ring_checksum(int ranks, long steps, long grain) {
    const auto count = static_cast<std::size_t>(ranks);
    std::vector<std::uint64_t> values(count), sent(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = i + 1;
    for (long step = 0; step < steps; ++step) {
        for (std::size_t i = 0; i < count; ++i)
            sent[i] = work(values[i], grain);
        for (std::size_t i = 0; i < count; ++i)
            values[i] = mix(sent[i], sent[(i + count - 1) % count]);
    }
    double sum = 0;
    for (const std::uint64_t value : values)
        sum += digest(value);
    char text[64];
    std::snprintf(text, sizeof text, "checksum=%.17g ", sum);
    return text;
}

inline std::vector<std::string> ring(long steps, long grain) {
    return {MPI_PROGRAMS "/ring", std::to_string(steps), std::to_string(grain)};
}

inline void assert_right(const Outcome &outcome, int ranks, long steps, long grain) {
    assert_succeeded(outcome);
    ck_assert_contains(outcome.output, ring_checksum(ranks, steps, grain));
}

inline void run_right(const Stage &stage, int ranks, long steps, long grain) {
    assert_right(stage.start(ranks, ring(steps, grain)).wait(limit), ranks, steps, grain);
}

// Of all ranks that ever had a slot, unless another one has it now.
inline std::uint64_t sum(Stage &stage, std::uint64_t vmall_runtime_slot::*counter) {
    std::uint64_t total = 0;
    for (vmall_runtime_slot &slot : stage.runtime().slots)
        total += __atomic_load_n(&(slot.*counter), __ATOMIC_RELAXED);
    return total;
}

inline std::uint64_t hand_overs(Stage &stage) {
    return sum(stage, &vmall_runtime_slot::switches);
}

// The same by CPU, ever.
inline std::uint32_t turns_given_on(Stage &stage, std::uint16_t cpu) {
    return __atomic_load_n(&stage.runtime().queues[cpu].turns, __ATOMIC_RELAXED);
}

template <typename Condition>
bool within(std::chrono::milliseconds time, Condition condition) {
    for (const auto deadline = Clock::now() + time; Clock::now() < deadline;) {
        if (condition())
            return true;
        std::this_thread::sleep_for(2ms);
    }
    return condition();
}

inline void await_ranks(const Stage &stage, std::size_t count) {
    ck_assert_msg(within(20s, [&] { return stage.ranks().size() == count; }),
                  "%zu of %zu ranks attached", stage.ranks().size(), count);
}

inline bool all_inside(const std::vector<pid_t> &ranks, const Cpus &cpus) {
    for (const pid_t rank : ranks)
        if (!runs_inside(rank, cpus))
            return false;
    return true;
}

} // namespace vmall::test
