// SPDX-License-Identifier: GPL-2.0-or-later
//
// Equal_efficiency.
#include "policy/sharing/equal_efficiency.hpp"

#include "policy/sharing/equal_eff_plus_plus.hpp"

namespace vmall::policy::sharing {

Allotments equal_efficiency(int processors, const Applications &applications, OneProcessor rule) {
    return equal_eff_plus_plus(processors, applications, rule, 0);
}

} // namespace vmall::policy::sharing
