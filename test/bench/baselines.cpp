// SPDX-License-Identifier: GPL-2.0-or-later
//
// The ways of baselines.hpp, in the place of src/libvmrt/no_baselines.cpp.
#include "baselines.hpp"

#include "libvmrt/way.hpp"

namespace vmall::runtime {
namespace {

constexpr std::uint64_t boost_period_ns = 10'000'000, spin_ns = 50'000;

// Once in a wait, not in each turn of it.
bool spins(std::uint64_t, std::uint64_t wait_ns) {
    return wait_ns < spin_ns;
}

// Unless the rank computes on.
bool for_a_period(std::uint64_t turn_ns, std::uint64_t) {
    return turn_ns < boost_period_ns;
}

constexpr Way ways[] = {
    {bench::coscheduling_busy, true, false, false, nullptr},
    {bench::coscheduling_spin, true, true, true, spins},
    {bench::coscheduling_periodic_boost, true, true, true, for_a_period},
};

} // namespace

const Baselines baselines = {ways, sizeof ways / sizeof *ways};

} // namespace vmall::runtime
