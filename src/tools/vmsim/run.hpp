// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim run: what policies make of workloads.
#pragma once

#include "tools/vmsim/run_options.hpp"

namespace vmall::vmsim {

// Writes and prints it. Returns the exit status; throws as batch() does.
int run(const RunOptions &options);

} // namespace vmall::vmsim
