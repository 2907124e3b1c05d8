// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the replies of all nodes of a job to one target come to.
#pragma once

#include "control/rank_report.hpp"
#include "plugins/sched_fjt/resize/messenger.hpp"

#include <optional>
#include <string>

namespace vmall::sched {

// Whether some node has done what was asked, or may still do it.
bool may_have_moved(const Confirmation &confirmation);

// No node kept silent.
bool all_answered(const Confirmation &confirmation);

// Some node had no step of the job, and noted the target for its first one.
bool is_noted(const Confirmation &confirmation);

// Every node has done what was asked.
bool is_applied(const Confirmation &confirmation);

// What the first node says that cannot move the job for that; null if there is none.
const std::string *why_unattached(const Confirmation &confirmation);

// On every node there are ranks, and libvmrt serves all of them.
bool is_served(const Confirmation &confirmation);

// The sum of what they report. Nothing if no node knows of ranks.
std::optional<control::RankReport> ranks_of(const Confirmation &confirmation);

} // namespace vmall::sched
