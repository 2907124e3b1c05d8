// SPDX-License-Identifier: GPL-2.0-or-later
//
// Equipartition.
#include "policy/sharing/equipartition.hpp"

#include "policy/sharing/dealing.hpp"

namespace vmall::policy::sharing {

Allotments equipartition(int processors, const Applications &applications) {
    return deal_evenly(processors, applications, [](std::size_t, int) { return true; });
}

} // namespace vmall::policy::sharing
