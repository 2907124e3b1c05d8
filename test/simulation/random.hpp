// SPDX-License-Identifier: GPL-2.0-or-later
//
// Chances that are the same everywhere for the same seed, and cheap to begin anew for each step.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vmall::simulation {

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    // SplitMix64.
    std::uint64_t next() {
        std::uint64_t word = state_ += 0x9e3779b97f4a7c15;
        word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
        word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
        return word ^ (word >> 31);
    }
    // Both included.
    int between(int least, int most) {
        return least + static_cast<int>(next() % static_cast<std::uint64_t>(most - least + 1));
    }
    bool one_in(int chances) { return between(1, chances) == 1; }
    std::size_t below(std::size_t count) { return next() % count; }

  private:
    std::uint64_t state_;
};

} // namespace vmall::simulation
