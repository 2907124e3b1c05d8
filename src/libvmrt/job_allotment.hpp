// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the control block of the job says at the moment, also for its processes that are no ranks.
#pragma once

#include "libvmrt/control_view.hpp"

namespace vmall::runtime {

// From any thread. False for processes of no such job, or if there is nothing to believe.
bool read_allotment(ControlContent &content);

} // namespace vmall::runtime
