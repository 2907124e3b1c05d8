// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random numbers that are the same on every machine: no transcendental function of the C library,
// whose last bit differs from one to the other, is used.
#pragma once

#include <cstdint>
#include <random>

namespace vmall::sim {

class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    std::uint64_t bits() { return engine_(); }

    // At least 0, less than 1.
    double uniform();

    // With mean 1. Von Neumann's method (Various techniques used in connection with random digits,
    // 1951): only comparisons of uniform numbers.
    double exponential();

  private:
    std::mt19937_64 engine_;
};

} // namespace vmall::sim
