// SPDX-License-Identifier: GPL-2.0-or-later
//
// Equal_eff++: Equal_efficiency that leaves processors free which nobody would use well. Corbalan's
// thesis, s. 6.3.4 with figure 6.10.
#pragma once

#include "policy/settings.hpp"
#include "policy/sharing/application.hpp"

namespace vmall::policy::sharing {

// As equal_efficiency(), but deals no more once the highest efficiency, measured or extrapolated,
// is below the target (from 0 to 1; with 0 they are the same).
Allotments equal_eff_plus_plus(int processors, const Applications &applications, OneProcessor rule,
                               double target_efficiency);

} // namespace vmall::policy::sharing
