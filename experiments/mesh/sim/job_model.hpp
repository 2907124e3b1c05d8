// SPDX-License-Identifier: GPL-2.0-or-later
//
// How jobs get on with their work on a rectangle of the mesh.
#pragma once

#include "experiments/mesh/sim/step_times.hpp"
#include "sim/model/folding_cost.hpp"
#include "sim/model/job.hpp"

#include <memory>

namespace vmall::sim::mesh {

class JobModel {
  public:
    virtual ~JobModel() = default;

    // That it starts with, if it is alone.
    virtual int processes(const Job &job) const = 0;

    // Processes on the processor that has most of them.
    virtual int mpl(const Job &job, const policy::mesh::Rectangle &on) const = 0;

    // Work, in milliseconds of Job::runtime, per millisecond.
    virtual double rate(const Job &job, const policy::mesh::Rectangle &on) = 0;

    // Milliseconds that it stands still when it goes from one rectangle to another.
    virtual double relocation(const policy::mesh::Rectangle &from,
                              const policy::mesh::Rectangle &to) const = 0;
};

// The application of McCann's thesis, s. 5.1: as many threads as processors, all in step.
// Job::runtime is its time alone on the whole machine. `step_times` must outlive the model.
std::unique_ptr<JobModel> make_spmd_model(StepTimes &step_times, policy::mesh::Mapping mapping,
                                          bool relocation_is_free = false);

// Any job that can be virtually malleable, with its own speed-up curve: it takes the largest of its
// sizes that the machine has processors for. On a rectangle it has the share of the MPL that a job
// as wide as the machine would have there, rounded up. Relocation takes `relocation` milliseconds.
std::unique_ptr<JobModel> make_workload_model(const policy::mesh::Mesh &mesh,
                                              policy::mesh::Mapping mapping,
                                              const FoldingCost &folding_cost, double relocation);

} // namespace vmall::sim::mesh
