// SPDX-License-Identifier: GPL-2.0-or-later
//
// Takes a view of slurmctld.
#pragma once

#include "plugins/sched_fjt/view.hpp"

namespace vmall::sched {

// Takes slurmctld's lock for the time it takes to copy.
View look();

// The same under a lock the caller holds; without the queue, which costs more.
View look_at_active();

} // namespace vmall::sched
