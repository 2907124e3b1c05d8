// SPDX-License-Identifier: GPL-2.0-or-later
//
// Equipartition: the same number of processors for everybody who requests that many. Corbalan's
// thesis, s. 6.3.1 with figure 6.3, after McCann et al.
#pragma once

#include "policy/sharing/application.hpp"

namespace vmall::policy::sharing {

// What is measured plays no part.
Allotments equipartition(int processors, const Applications &applications);

} // namespace vmall::policy::sharing
