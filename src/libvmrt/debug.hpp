// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the runtime has to say, on standard error.
#pragma once

namespace vmall::runtime {

// One line, for everybody.
void say(const char *what);

// Why the runtime stays out, for whoever sets VMALL_DEBUG: at most one line per process.
void debug(const char *what);

} // namespace vmall::runtime
