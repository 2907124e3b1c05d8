// SPDX-License-Identifier: GPL-2.0-or-later
//
// One run of a workload of Corbalan's thesis ch. 6.
#pragma once

#include "experiments/reproduce/corbalan6_study.hpp"

#include <cstdint>

namespace vmall::sim::reproduce::corbalan6 {

// With at least one job of every application of the mix.
Workload workload_of(const Mix &mix, int load, const Assumption &assumption, double length,
                     std::uint64_t seed);

Numbers play(const Workload &workload, const char *discipline, int level,
             const Assumption &assumption, std::uint64_t seed, Progress &progress);

} // namespace vmall::sim::reproduce::corbalan6
