// SPDX-License-Identifier: GPL-2.0-or-later
//
// Options of the subcommands that read a recorded workload.
#pragma once

#include "sim/trace/read_workload.hpp"
#include "tools/vmsim/command_line.hpp"

#include <ostream>
#include <string>
#include <vector>

namespace vmall::vmsim {

struct TreatmentOptions {
    bool lenient = false;
    std::string config;
    std::string processors = "allocated";
    std::string overrun = "as-recorded";
    std::string arrival = "eligible";
    double share = 1;
    std::uint64_t seed = 1;
    std::vector<std::string> partitions;
    std::vector<std::string> users;
    std::string job_class;
    std::string sizes = "rigid";
    std::string speedup = "linear";
};

// For dumps of sacct.
void add_treatment_options(Command command, TreatmentOptions &options);

// The same and what there is to choose for the other formats.
void add_workload_options(Command command, TreatmentOptions &options);

// Throws config::ConfigError, sim::TraceError.
sim::Treatment treatment(const TreatmentOptions &options);

// What was skipped, left out or is worth a note of that file, a line each.
void report(const std::string &path, const sim::ReadLog &log, std::ostream &messages);

// The workload in a log. Writes to `messages` what was skipped, left out or is worth a note, a
// line each, also if no job is left.
sim::Workload read_workload(const sim::LogFile &file, const TreatmentOptions &options,
                            std::ostream &messages);

} // namespace vmall::vmsim
