// SPDX-License-Identifier: GPL-2.0-or-later
//
// How many applications run at a time: the dynamic multiprogramming level of PDML. Corbalan's
// thesis, s. 6.2.1, figures 6.5 and 6.10 (New_appl), s. 6.3.4 (Stable_allocation), table 6.2.
#pragma once

#include "policy/sharing/application.hpp"

namespace vmall::policy::sharing {

// Every application has measured its efficiency on what it has now, and reaches the target. One
// processor is always efficient, by definition.
//
// The thesis' pseudo-code also has a flag STABLE, cleared whenever somebody may not have one more
// processor. Going by that, nobody would ever be admitted beside an application that does not
// scale.
bool stable(const Applications &applications, const Allotments &now, double target_efficiency);

// Whether one more may start: always below the default level; above it if the others are stable and
// leave processors free.
bool admits_another(const Applications &applications, const Allotments &now, int free_processors,
                    int default_level, double target_efficiency);

} // namespace vmall::policy::sharing
