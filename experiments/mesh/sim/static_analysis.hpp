// SPDX-License-Identifier: GPL-2.0-or-later
//
// A fixed number of equal jobs under a policy (McCann's thesis, s. 5.2).
#pragma once

#include "experiments/mesh/sim/choice.hpp"
#include "experiments/mesh/sim/step_times.hpp"

#include <functional>
#include <vector>

namespace vmall::sim::mesh {

// The rectangles that jobs have when this many have come one after the other.
std::vector<policy::mesh::Rectangle> partitions(const Choice &choice,
                                                const policy::mesh::Mesh &mesh, int jobs);

// %OV of rotations for a number of jobs and an interval: rotation_overhead(), for one.
using RotationOverhead = double (*)(const policy::mesh::Mesh &, int jobs, double interval,
                                    const policy::mesh::Environment &);

// EP, eq. 5.1.
double efficiency_preservation(const Choice &choice, int jobs, StepTimes &step_times,
                               RotationOverhead overhead = policy::mesh::rotation_overhead);

// Most threads on a processor of the job that has most and of the one that has fewest of them, over
// the ideal of one for each job (s. 5.2.3, figures 5.4 and 5.5). 1 is fair.
struct Fairness {
    double heaviest = 1;
    double lightest = 1;
};

Fairness equipartition_fairness(const policy::mesh::Mesh &mesh, int jobs,
                                policy::mesh::Mapping mapping);

// Bounds over a job's life under Folding that rotates every `interval`, a multiple (above 0) of the
// time the job takes alone, or infinity: as many complete cycles as fit into the time it takes in
// company, and for the rest of its work only large or only small partitions.
Fairness folding_fairness(int jobs, double interval);

} // namespace vmall::sim::mesh
