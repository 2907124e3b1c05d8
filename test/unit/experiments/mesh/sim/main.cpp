// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs the unit tests of the simulations on a mesh.
#include "suites.hpp"

int main() {
    return run("simulation of mesh policies",
               {choice_tests(), static_analysis_tests(), birth_death_tests(), workload_tests(),
                simulate_tests()});
}
