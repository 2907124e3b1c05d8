// SPDX-License-Identifier: GPL-2.0-or-later
//
// How many simulations run at the same time.
#pragma once

#include "tools/vmsim/command_line.hpp"

namespace vmall::vmsim {

// --threads; sets it to the number of cores for a start.
void add_threads_option(Command command, int &threads);

} // namespace vmall::vmsim
