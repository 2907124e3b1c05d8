// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of ways.
#include "libvmrt/way.hpp"

#include "layout/control_block.h"

namespace vmall::runtime {
namespace {

constexpr Way ways[] = {
    {VMALL_COSCHEDULING_SELF, true, true, true, nullptr},
    {VMALL_COSCHEDULING_NONE, false, false, false, nullptr},
};

const Way *find(const Way *first, const Way *end, std::uint32_t coscheduling) {
    for (const Way *way = first; way != end; ++way)
        if (way->coscheduling == coscheduling)
            return way;
    return nullptr;
}

} // namespace

const Way *way_of(std::uint32_t coscheduling) {
    const Way *way = find(ways, ways + sizeof ways / sizeof *ways, coscheduling);
    return way != nullptr ? way
                          : find(baselines.ways, baselines.ways + baselines.count, coscheduling);
}

} // namespace vmall::runtime
