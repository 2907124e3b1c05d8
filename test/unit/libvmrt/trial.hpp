// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the tests of preloaded programs share: `ring` and its right result, sums of the ranks'
// counters, and waiting for something to happen.
#pragma once

#include "../../mpi/work.h"
#include "outcome.hpp"

#include <csignal>
#include <cstdio>
#include <thread>

namespace vmall::test {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

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

// Those it was to make, or those after which it was told to end.
inline long steps_made(const Outcome &outcome, long steps) {
    const std::string told = "ended after ";
    const std::size_t found = outcome.output.find(told);
    return found == std::string::npos ? steps
                                      : std::stol(outcome.output.substr(found + told.size()));
}

inline void assert_right(const Outcome &outcome, int ranks, long steps, long grain) {
    assert_succeeded(outcome);
    ck_assert_contains(outcome.output, ring_checksum(ranks, steps_made(outcome, steps), grain));
}

inline void run_right(const Stage &stage, int ranks, long steps, long grain) {
    assert_right(stage.start(ranks, ring(steps, grain)).wait(), ranks, steps, grain);
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

template <typename Condition>
bool comes_true(Condition condition) {
    return within(limit, condition);
}

// Programs that would run for ever; what they are for has happened then.
inline constexpr long endless = 100000000;

inline void tell_to_end(Stage &stage) {
    for (const vmall_runtime_slot &slot : stage.runtime().slots)
        if (slot.owner != 0 && slot.local_size != 0 && slot.local_rank == 0)
            kill(static_cast<pid_t>(slot.owner >> 32), SIGUSR2);
}

// Its ranks are to share both.
inline void await_hand_overs_on_both(Stage &stage) {
    const Cpus cpus = usable_cpus();
    const std::uint32_t first = turns_given_on(stage, cpus[0]),
                        second = turns_given_on(stage, cpus[1]);
    ck_assert(comes_true([&] {
        return turns_given_on(stage, cpus[0]) > first && turns_given_on(stage, cpus[1]) > second;
    }));
}

inline void await_ranks(const Stage &stage, std::size_t count) {
    ck_assert_msg(comes_true([&] { return stage.ranks().size() == count; }),
                  "%zu of %zu ranks attached", stage.ranks().size(), count);
}

inline bool all_inside(const std::vector<pid_t> &ranks, const Cpus &cpus) {
    for (const pid_t rank : ranks)
        if (!runs_inside(rank, cpus))
            return false;
    return true;
}

} // namespace vmall::test
