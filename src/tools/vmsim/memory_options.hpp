// SPDX-License-Identifier: GPL-2.0-or-later
//
// How much memory jobs need, and nodes have.
#pragma once

#include "sim/model/memory.hpp"
#include "tools/vmsim/command_line.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace vmall::vmsim {

struct MemoryOptions {
    std::string per_process = "0"; // percent, or requested, or used
    std::string per_core;          // of the nodes; empty: not given
};

void add_memory_options(Command command, MemoryOptions &options);

// Writes to `messages` of how many jobs a workload does not say it. Throws UsageError if it is said
// of none, or the options do not go together.
sim::Memory memory(const MemoryOptions &options, const std::vector<sim::Workload> &workloads,
                   std::ostream &messages);

} // namespace vmall::vmsim
