// SPDX-License-Identifier: GPL-2.0-or-later
//
// The deepest, or the deepest of those that cannot be changed.
#include "spank_vm/agent/common_depth.hpp"

#include <algorithm>

namespace vmall::agent {

void CommonDepth::hear(const wire::Wish &wish, Time until) {
    heard_[wish.node] = {wish, until};
}

std::uint32_t CommonDepth::agreed(std::uint32_t node_count, Time now) const {
    std::uint32_t nodes = 0, deepest = 0, fixed = 0;
    for (const auto &[node, heard] : heard_) {
        if (heard.until < now)
            continue;
        ++nodes;
        deepest = std::max(deepest, heard.wish.mpl);
        if (heard.wish.is_fixed)
            fixed = std::max(fixed, heard.wish.mpl);
    }
    if (nodes < node_count)
        return 0;
    return fixed > 0 ? fixed : deepest;
}

} // namespace vmall::agent
