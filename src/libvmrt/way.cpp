// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of ways.
#include "libvmrt/way.hpp"

#include "layout/control_block.h"

namespace vmall::runtime {
namespace {

bool never(std::uint32_t, std::uint64_t, std::uint64_t) {
    return false;
}

// Once in a wait, not in each turn of it.
bool spins(std::uint32_t spin_us, std::uint64_t, std::uint64_t wait_ns) {
    return wait_ns < std::uint64_t{spin_us} * 1000;
}

constexpr Way ways[] = {
    {VMALL_COSCHEDULING_SELF, VMALL_WAITING_BLOCK, true, true, true, never},
    {VMALL_COSCHEDULING_SELF, VMALL_WAITING_SPIN, true, true, true, spins},
    {VMALL_COSCHEDULING_NONE, VMALL_WAITING_BLOCK, false, false, false, never},
    {VMALL_COSCHEDULING_NONE, VMALL_WAITING_SPIN, false, false, false, never},
};

const Way *find(const Way *first, const Way *end, std::uint32_t coscheduling,
                std::uint32_t waiting) {
    for (const Way *way = first; way != end; ++way)
        if (way->coscheduling == coscheduling && way->waiting == waiting)
            return way;
    return nullptr;
}

} // namespace

const Way *way_of(std::uint32_t coscheduling, std::uint32_t waiting) {
    const Way *way = find(ways, ways + sizeof ways / sizeof *ways, coscheduling, waiting);
    return way != nullptr
               ? way
               : find(baselines.ways, baselines.ways + baselines.count, coscheduling, waiting);
}

} // namespace vmall::runtime
