// SPDX-License-Identifier: GPL-2.0-or-later
//
// When jobs that wait are expected to start, for people: no decision goes by it.
#pragma once

#include "policy/model.hpp"
#include "policy/settings.hpp"

#include <map>

namespace vmall::policy {

// If all that run end when they are expected to, nobody else comes, and nobody is folded for them:
// each has a reserved start, in the order of the queue discipline, with the most processes that it
// accepts. So folds, and jobs that end early, let them start earlier, and jobs that come and go
// before them later. Up to a minute late, or a thirtieth of the time until then. Of jobs that the
// resource manager refuses, and of those behind the first on large machines, nothing is said.
std::map<JobId, Seconds> expected_starts(Snapshot snapshot, Settings settings);

} // namespace vmall::policy
