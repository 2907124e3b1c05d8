// SPDX-License-Identifier: GPL-2.0-or-later
//
// What folding costs beyond having fewer cores.
#pragma once

#include "policy/settings.hpp"

#include <array>

namespace vmall::sim {

// By MPL, from 1 on: how many times longer p processes folded to p / MPL cores take than p / MPL
// processes on as many cores would. 1 at MPL 1, at least 1 elsewhere.
struct FoldingCost {
    std::array<double, policy::highest_mpl> by_mpl = {1, 1, 1, 1};
    double at(int mpl) const;
};

} // namespace vmall::sim
