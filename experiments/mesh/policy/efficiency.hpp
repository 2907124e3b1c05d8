// SPDX-License-Identifier: GPL-2.0-or-later
//
// Efficiency preservation: how much of the processors' efficiency a policy keeps when several
// copies of an application run (McCann's thesis, ch. 3 and s. 5.2.1).
//
// All times are seconds. Where the scan is garbled: s. 5.2.1 names the terms for communication and
// context switches the wrong way round, as follows from the text.
#pragma once

#include "experiments/mesh/policy/mapping.hpp"
#include "experiments/mesh/policy/mesh.hpp"

#include <vector>

namespace vmall::policy::mesh {

// Machine and application; the values are the baseline of s. 5.1.
struct Environment {
    double compute = 0.100;     // t: of a thread in one step of the application
    double communicate = 0.001; // s: with one neighbouring processor, per row or column of threads
    double context_switch = 0.0005; // c
    double link = 200.0 * 1024;     // X: KB/s
    double code = 512;              // C: KB of a thread
    double data = 4096;             // D: KB of a thread, with its stack
};

// Communication and context switches of one step on the processor that has most threads.
double step_overhead(const Mesh &mesh, int rows, int columns, Mapping mapping,
                     const Environment &environment);

// One step of the application on rows x columns processors, all threads computing equally long: the
// denominator of eq. 5.2.
double step_time(const Mesh &mesh, int rows, int columns, Mapping mapping,
                 const Environment &environment);

// EP, eq. 3.2 and 5.1, of copies that take `elapsed` in company and `alone` on the whole machine;
// `overhead` is the share of the time that the policy itself takes, from 0 to 1. As all compute
// equally long, this is the sum of their speeds over the speed alone (eq. 3.3); more than 1 is
// possible.
double efficiency_preservation(double alone, const std::vector<double> &elapsed, double overhead);

// Folding a job from a large partition onto half of it, and unfolding it again, for this many jobs:
// half of its threads cross the longer dimension of the partition, in as many lanes as the other
// one is wide.
double fold_time(const Mesh &mesh, int jobs, const Environment &environment);
double unfold_time(const Mesh &mesh, int jobs, const Environment &environment);

// Moving a running job from one rectangle to another, neither of them empty, while it stands still:
// the same arithmetic for any two. The share of the threads that moves is that of the larger
// rectangle's processors that are not in both (a half when folding); the code goes with them to
// processors that did not run the job.
double relocation_time(const Mesh &mesh, const Rectangle &from, const Rectangle &to,
                       const Environment &environment);

// %OV of Folding that rotates every `interval`, eq. 5.4 as printed. No more than 1.
//
// Eq. 5.3, with the terms that the text gives, comes to a quarter of that or a half (it depends on
// roundings): rotation_overhead_derived().
double rotation_overhead(const Mesh &mesh, int jobs, double interval,
                         const Environment &environment);
double rotation_overhead_derived(const Mesh &mesh, int jobs, double interval,
                                 const Environment &environment);

} // namespace vmall::policy::mesh
