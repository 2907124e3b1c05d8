// SPDX-License-Identifier: GPL-2.0-or-later
//
// The one door to the policies: a snapshot in, actions out.
#pragma once

#include "policy/model.hpp"
#include "policy/settings.hpp"

#include <vector>

namespace vmall::policy {

// Decides what to do now. Actions are in the order in which they are to be carried out.
//
// Cores that a Resize frees or a Requeue gives back are not used by a Start of the same decision:
// the node has to confirm first, and the caller asks again then. Every waiting job that is looked
// at and not started has a Wait. A job whose resize is under way (RunningJob::target) is left
// alone, and the cores it will free are counted as coming, so that nobody else is folded for the
// same need. The same snapshot and settings give the same actions on every machine.
std::vector<Action> decide(const Snapshot &snapshot, const Settings &settings);

} // namespace vmall::policy
