// SPDX-License-Identifier: GPL-2.0-or-later
//
// Small random workloads, machines and policies, the same on every platform for the same seed.
#pragma once

#include "sim/engine/simulate.hpp"

#include <cstdint>
#include <random>
#include <string>

// With the sanitizers a case takes many times as long, and several times without the optimizer.
#ifdef __SANITIZE_ADDRESS__
constexpr std::uint32_t random_cases = 500;
#elif !defined __OPTIMIZE__
constexpr std::uint32_t random_cases = 1000;
#else
constexpr std::uint32_t random_cases = 3000;
#endif

struct Case {
    vmall::sim::Workload workload;
    vmall::sim::Machine machine;
    vmall::sim::Options options; // that record allotments

    std::string text; // for people: the seed and the policies
};

class RandomCase {
  public:
    explicit RandomCase(std::uint32_t seed_) : seed(seed_), engine(seed_) {}

    // Jobs of every kind that fit the machine, estimates that may be wrong, every combination of
    // queue discipline, sizing and window policy.
    Case any();

    // One node, rigid jobs that do not outlast their estimates (`exact`: last as long), whole
    // seconds.
    Case with_sound_estimates(vmall::policy::QueueDiscipline discipline, bool exact);

  private:
    int between(int least, int most); // both included
    bool one_in(int chances) { return between(1, chances) == 1; }
    template <typename Piece>
    vmall::policy::Chosen<Piece> piece();
    vmall::policy::Settings settings();
    vmall::sim::Job job(std::uint32_t id, int nodes, int cores);

    const std::uint32_t seed;
    std::mt19937_64 engine;
};
