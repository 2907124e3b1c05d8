// SPDX-License-Identifier: GPL-2.0-or-later
//
// What folding costs beyond having fewer cores.
#pragma once

#include "policy/settings.hpp"

#include <array>
#include <string>

namespace vmall::sim {

// By MPL, from 1 on: how many times longer p processes folded to p / MPL cores take than p / MPL
// processes on as many cores would. 1 at MPL 1, at least 1 elsewhere.
struct FoldingCost {
    std::array<double, policy::highest_mpl> by_mpl = {1, 1, 1, 1};

    // Deeper than the table goes costs what its end does. Throws std::out_of_range below 1.
    double at(int mpl) const;
};

// "1.05", "1.03,1.05,1.1": of MPL 2 and up, the last for all that follow; at least 1 each. Throws
// std::invalid_argument that quotes what is wrong.
FoldingCost parse_folding_cost(const std::string &text);

} // namespace vmall::sim
