// SPDX-License-Identifier: GPL-2.0-or-later
//
// Equip++: equipartition that takes processors away where they were measured not to pay.
// Corbalan's thesis, s. 6.3.2 with figure 6.5 (the algorithm) and s. 6.2.1 (the step).
#pragma once

#include "policy/sharing/application.hpp"

namespace vmall::policy::sharing {

// An application gets no further processor where its efficiency was measured to be below the target
// (from 0 to 1), nor where it would be fewer than `step` (1 or more) processors below such an
// allotment: it goes down by `step` at a time until it reaches the target. Allotments that were
// measured to reach the target are always allowed, and all others that never were measured.
//
// Two slips of figure 6.5 are not followed: there, an application that has all it requested may get
// one more, and one that may have no more is taken off the processors requested in every turn anew.
Allotments equip_plus_plus(int processors, const Applications &applications,
                           double target_efficiency, int step);

} // namespace vmall::policy::sharing
