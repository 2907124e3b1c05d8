// SPDX-License-Identifier: GPL-2.0-or-later
//
// The ways of baselines.hpp, in the place of src/libvmrt/no_baselines.cpp.
#include "baselines.hpp"

#include "layout/control_block.h"
#include "libvmrt/way.hpp"

namespace vmall::runtime {
namespace {

constexpr std::uint64_t boost_period_ns = 10'000'000;

bool never(std::uint32_t, std::uint64_t, std::uint64_t) {
    return false;
}

// Unless the rank computes on.
bool for_a_period(std::uint32_t, std::uint64_t turn_ns, std::uint64_t) {
    return turn_ns < boost_period_ns;
}

constexpr Way ways[] = {
    {VMALL_COSCHEDULING_SELF, bench::waiting_busy, true, false, false, never},
    {bench::coscheduling_periodic_boost, VMALL_WAITING_BLOCK, true, true, true, for_a_period},
};

} // namespace

const Baselines baselines = {ways, sizeof ways / sizeof *ways};

} // namespace vmall::runtime
