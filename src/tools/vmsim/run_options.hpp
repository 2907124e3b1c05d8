// SPDX-License-Identifier: GPL-2.0-or-later
//
// The options of vmsim run.
#pragma once

#include "tools/vmsim/batch.hpp"
#include "tools/vmsim/memory_options.hpp"
#include "tools/vmsim/treatment_options.hpp"

#include <string>
#include <vector>

namespace vmall::vmsim {

struct RunOptions {
    std::vector<std::string> workloads;
    TreatmentOptions treatment;
    int cores = 0;
    int nodes = 1;
    int cores_per_node = 0;
    std::vector<std::string> policies;
    MorePolicies more_policies; // no option: what the program has
    std::string policy_file;
    std::string folding_cost = "1";
    std::string useful_share = "recorded";
    double resize_latency = 0;
    bool ignore_time_limits = false;
    std::string limit_extension = "unlimited";
    MemoryOptions memory;
    std::string warm_up;
    std::string cool_down;
    bool while_arriving = false;
    bool steady_state = false;
    double slowdown_bound = 10;
    std::string directory;
    bool timelines = false;
    bool pictures = false;
    bool progress = false;
    bool json = false;
    int threads = 1;
};

// The machine, and all the rest.
void add_machine_options(Command command, RunOptions &options);
void add_run_options(Command command, RunOptions &options);

// What they ask for; reads the workloads, with what there is to say about them written to
// `messages`. Throws UsageError, config::ConfigError, sim::TraceError.
Batch batch(const RunOptions &options, std::ostream &messages);

} // namespace vmall::vmsim
