// SPDX-License-Identifier: GPL-2.0-or-later
//
// Why the runtime stays out, for whoever sets VMALL_DEBUG.
#pragma once

namespace vmall::runtime {

// At most one line per process, on standard error.
void debug(const char *what);

} // namespace vmall::runtime
