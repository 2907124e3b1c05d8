// SPDX-License-Identifier: GPL-2.0-or-later
//
// In place of src/libvmrt/shared_word.hpp, whose functions these are: before each access somebody
// else may go on. Relaxed accesses are to hints and counters, which decide nothing: they come with
// the access after them.
#pragma once

#include <cstdint>

namespace vmall::interleavings {

enum class Access { load, store, replace, increment };

// Returns when it is the caller's turn to go on.
void before(Access access, const volatile void *word, std::uint64_t value = 0);

} // namespace vmall::interleavings

namespace vmall::runtime {

using interleavings::Access;

template <typename Word>
Word load(const Word &word) {
    interleavings::before(Access::load, &word);
    return word;
}

template <typename Word>
Word load_relaxed(const Word &word) {
    return word;
}

template <typename Word>
void store(Word &word, Word value) {
    interleavings::before(Access::store, &word, value);
    word = value;
}

template <typename Word>
void store_relaxed(Word &word, Word value) {
    word = value;
}

template <typename Word>
bool replace(Word &word, Word expected, Word desired) {
    interleavings::before(Access::replace, &word, desired);
    if (word != expected)
        return false;
    word = desired;
    return true;
}

template <typename Word>
void increment(Word &word) {
    interleavings::before(Access::increment, &word);
    ++word;
}

// Counters are for people: states that differ in them only are the same.
inline void add(std::uint64_t &, std::uint64_t) {}

bool futex_sleep(const std::uint32_t &word, std::uint32_t value, std::uint64_t nanoseconds);
void futex_sleep_on_two(const std::uint32_t &first, std::uint32_t first_value,
                        const std::uint32_t &second, std::uint32_t second_value,
                        std::uint64_t nanoseconds);
void futex_wake_one(std::uint32_t &word);
void futex_wake_all(std::uint32_t &word);

std::uint64_t monotonic_ns();
std::uint64_t wall_clock_ns();
std::uint64_t cpu_time_ns();

} // namespace vmall::runtime
