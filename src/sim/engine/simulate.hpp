// SPDX-License-Identifier: GPL-2.0-or-later
//
// Plays a workload through the policies of src/policy/ in simulated time.
#pragma once

#include "policy/settings.hpp"
#include "sim/engine/outcome.hpp"
#include "sim/model/folding_cost.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

namespace vmall::sim {

struct Machine {
    std::vector<int> cores; // by node
};

struct Options {
    policy::Settings policy;
    FoldingCost folding_cost;
    Milliseconds resize_latency = 0; // from the decision to cores given back
    bool record_allotments = false;
};

// Watched and stopped from another thread.
struct Progress {
    std::atomic<std::uint64_t> jobs_ended{0};
    std::atomic<bool> stop{false};
};

// Thrown by simulate() after Progress::stop was set.
struct Stopped {};

// Until every job that can has ended. The same arguments give the same outcome on every machine.
Outcome simulate(const Workload &workload, const Machine &machine, const Options &options,
                 Progress &progress);

} // namespace vmall::sim
