// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the threads of a rank do that have nothing to do: those of OpenMP spin for their next
// parallel region or sleep, as its runtime (GCC's, or LLVM's and Intel's) reads in the environment.
// While the job is folded their CPUs are another rank's meanwhile, so threads that spin cost many
// times what folding does. spank_vm lets them sleep, unless the user wanted otherwise.
#pragma once

namespace vmall::runtime {

// On standard error, for the ranks of a program with OpenMP by the first of them: that they spin;
// or, for whoever sets VMALL_DEBUG, that they sleep.
void tell_of_idle_threads();

} // namespace vmall::runtime
