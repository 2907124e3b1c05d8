// SPDX-License-Identifier: GPL-2.0-or-later
//
// Dealing processors out one by one, the loop that the algorithms of Corbalan's thesis ch. 6 have
// in common.
#pragma once

#include "policy/sharing/application.hpp"

#include <cstddef>
#include <functional>

namespace vmall::policy::sharing {

// Whether the application at this index may have so many processors, given that it has one fewer.
using MayHave = std::function<bool(std::size_t index, int processors)>;

// In turn to everybody who requests more, until somebody may not have one: that one gets no more
// (figures 6.3, 6.5).
Allotments deal_evenly(int processors, const Applications &applications, const MayHave &may_have);

// The efficiency of the application at this index on so many processors.
using Efficiency = std::function<double(std::size_t index, int processors)>;

// Always to the one that would be most efficient with one more, until the best of them would be
// below `least_efficiency` (figures 6.8, 6.10). `allotments` is what everybody has before.
Allotments deal_to_most_efficient(int processors, const Applications &applications,
                                  Allotments allotments, const Efficiency &efficiency,
                                  double least_efficiency);

} // namespace vmall::policy::sharing
