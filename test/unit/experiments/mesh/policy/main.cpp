// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs the unit tests of the mesh policies.
#include "suites.hpp"

int main() {
    return run("mesh", {mapping_tests(), equipartition_tests(), ring_tests(), rotation_tests(),
                        folding_tests(), sequence_tests(), efficiency_tests()});
}
