// SPDX-License-Identifier: GPL-2.0-or-later
//
// The sizings that share processors, as a queue discipline: who runs is decided by the
// multiprogramming level, in order of arrival, and who has how much by the sizing. Corbalan's
// thesis ch. 6.
#pragma once

#include "policy/queue_discipline.hpp"

#include <memory>

namespace vmall::policy {

bool shares_processors(Sizing sizing);

// And goes by RunningJob::measured.
bool goes_by_measurements(Sizing sizing);

// Every node is a machine that is shared on its own (sharing/machine.hpp). A newcomer starts on
// what is free of its share, the others are told to shrink, and when they have, everybody grows to
// what they are to have. Jobs that cannot share start in their turn where there is room; while one
// waits for that, nobody grows into what comes free.
//
// Equipartition and Equal_efficiency run `default_level` jobs on a node at a time. Equip++ and
// Equal_eff++ run more when all have measured that they use what they have well, and leave some
// free. Sizing and window policy are not asked.
std::unique_ptr<Discipline> make_space_sharing();

} // namespace vmall::policy
