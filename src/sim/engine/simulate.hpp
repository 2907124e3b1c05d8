// SPDX-License-Identifier: GPL-2.0-or-later
//
// Plays a workload through the policies of src/policy/ in simulated time.
#pragma once

#include "policy/model.hpp"
#include "policy/settings.hpp"
#include "sim/engine/measuring.hpp"
#include "sim/engine/outcome.hpp"
#include "sim/model/folding_cost.hpp"
#include "sim/model/memory.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace vmall::sim {

struct Machine {
    std::vector<int> cores; // by node
};

struct Options {
    policy::Settings policy;
    FoldingCost folding_cost;
    Milliseconds resize_latency = 0; // from the decision to cores given back, of a requeue too
    Milliseconds resize_cost = 0;    // how long a job gets nowhere after each resize
    Measuring measuring;
    bool kill_at_time_limit = true; // as Slurm does
    // What folding may add to the time limit of a job, at most; none: all that it costs.
    std::optional<policy::Seconds> limit_extension;
    Memory memory;
    // Nobody asks for virtual malleability: every job has its largest size and is never resized.
    bool rigid_jobs = false;
    bool record_allotments = false;
    // Sees every decision before it is carried out; to replay it elsewhere.
    std::function<void(const policy::Snapshot &, const std::vector<policy::Action> &)> on_decision =
        {};
};

// Watched and stopped from another thread.
struct Progress {
    std::atomic<std::uint64_t> jobs_ended{0};
    std::atomic<bool> stop{false};
};

// Thrown by simulate() after Progress::stop was set.
struct Stopped {};

// Until every job that can has ended. The same arguments give the same outcome on every machine.
//
// What happens at the same time is handled together: first ends, then cores given back, then
// arrivals, then decisions until nothing more is decided. The policy is also asked when the
// estimate of a running job or the window of a backfilled one passes, and when a job has measured
// its speed-up. It sees job ids that count
// the jobs of the workload from 1 on.
//
// A job runs on p processors as fast as its speed-up curve says: unfolded with its p processes;
// folded to MPL m as p / m processes, slower by the cost of folding; malleable with the p processes
// that its cores are for. A job that gives cores back runs at its old speed until it has, and may
// end before; cores to grow into are its own at once. A requeued job starts anew; a suspended one,
// which holds no memory either, goes on where it was, and neither its estimate nor its time limit
// ran meanwhile. Both count work (policy/cost/work.hpp): what a job loses to folding is added to
// them.
//
// Throws std::invalid_argument for a workload that is out of order or a machine without cores,
// std::logic_error if the policy asks for what cannot be, Stopped.
Outcome simulate(const Workload &workload, const Machine &machine, const Options &options,
                 Progress &progress);

} // namespace vmall::sim
