// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random numbers that are the same on every machine.
#include "sim/trace/random.hpp"

namespace vmall::sim {

namespace {

double fraction(std::uint64_t bits) {
    constexpr int mantissa = 53;
    return static_cast<double>(bits >> (64 - mantissa)) / (std::uint64_t{1} << mantissa);
}

} // namespace

double Random::uniform() {
    return fraction(bits());
}

// A run of falling numbers that begins with x has an odd length with probability exp(-x). If it is
// even, the variate is larger by one than a fresh one.
double Random::exponential() {
    for (int whole = 0;; ++whole) {
        const std::uint64_t first = bits();
        bool odd = true;
        std::uint64_t last = first;
        for (std::uint64_t next = bits(); next < last; next = bits()) {
            last = next;
            odd = !odd;
        }
        if (odd)
            return whole + fraction(first);
    }
}

} // namespace vmall::sim
