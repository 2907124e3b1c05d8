// SPDX-License-Identifier: GPL-2.0-or-later
//
// Atomic access to the plain words of a page that other processes write, and futexes on them.
#pragma once

#include <cstdint>

namespace vmall::runtime {

template <typename Word>
Word load(const Word &word) {
    return __atomic_load_n(&word, __ATOMIC_SEQ_CST);
}

template <typename Word>
Word load_relaxed(const Word &word) {
    return __atomic_load_n(&word, __ATOMIC_RELAXED);
}

template <typename Word>
void store(Word &word, Word value) {
    __atomic_store_n(&word, value, __ATOMIC_SEQ_CST);
}

template <typename Word>
void store_relaxed(Word &word, Word value) {
    __atomic_store_n(&word, value, __ATOMIC_RELAXED);
}

// True if `word` was `expected` and is `desired` now.
template <typename Word>
bool replace(Word &word, Word expected, Word desired) {
    return __atomic_compare_exchange_n(&word, &expected, desired, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}

template <typename Word>
void increment(Word &word) {
    __atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
}

// For counters with a single writer.
inline void add(std::uint64_t &counter, std::uint64_t amount) {
    store_relaxed(counter, load_relaxed(counter) + amount);
}

// Sleeps while `word` is `value`, until woken, interrupted, or `nanoseconds` have passed (below a
// second). False if the time passed.
bool futex_sleep(const std::uint32_t &word, std::uint32_t value, std::uint64_t nanoseconds);

// Sleeps while both words have these values, until one is woken, interrupted, or `nanoseconds` have
// passed. Kernels before 5.16 watch the first only and look at the second every 20 ms.
void futex_sleep_on_two(const std::uint32_t &first, std::uint32_t first_value,
                        const std::uint32_t &second, std::uint32_t second_value,
                        std::uint64_t nanoseconds);

void futex_wake_one(std::uint32_t &word);
void futex_wake_all(std::uint32_t &word);

std::uint64_t monotonic_ns();
std::uint64_t wall_clock_ns();

// That the calling thread has had.
std::uint64_t cpu_time_ns();

} // namespace vmall::runtime
