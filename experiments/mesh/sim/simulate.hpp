// SPDX-License-Identifier: GPL-2.0-or-later
//
// Plays a workload through a mesh policy in simulated time (McCann's thesis, s. 5.4).
#pragma once

#include "experiments/mesh/sim/choice.hpp"
#include "experiments/mesh/sim/job_model.hpp"
#include "sim/engine/simulate.hpp"

namespace vmall::sim::mesh {

struct MeshOptions {
    Choice policy;
    int limit = 0; // jobs at a time (L); 0 or too many: one for each processor
    // Of the thesis' preemptive admission (s. 5.4.2): every so many milliseconds as many of the
    // jobs that run, those that have run longest first, are preempted as wait. 0: never.
    Milliseconds quantum = 0;
    double preemption_overhead = 0; // O / Q: share of a quantum that all stand still for it
    bool record_allotments = false;
};

// Until all jobs have ended. Jobs start in the order in which they come and run until their end,
// whatever their time limits; one that moves to another rectangle stands still meanwhile. The same
// arguments give the same outcome on every machine.
//
// Throws std::invalid_argument for a workload that is out of order, and what the model throws for a
// job that it cannot run; Stopped.
Outcome simulate(const Workload &workload, const policy::mesh::Mesh &mesh,
                 const MeshOptions &options, JobModel &model, Progress &progress);

// The same with what vmlab mesh is told: any workload of jobs that can be virtually malleable
// (make_workload_model), the cost of folding, the latency of a resize as the time that relocation
// takes, whether to record allotments. Time limits kill nobody here either.
Outcome simulate(const Workload &workload, const policy::mesh::Mesh &mesh, const Choice &policy,
                 const Options &options, Progress &progress);

} // namespace vmall::sim::mesh
