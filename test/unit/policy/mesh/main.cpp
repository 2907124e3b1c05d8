// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs the unit tests of the mesh policies.
#include "suites.hpp"

int main() {
    SRunner *runner = srunner_create(nullptr);
    for (const auto tests : {mapping_tests, equipartition_tests, ring_tests, rotation_tests,
                             folding_tests, sequence_tests, efficiency_tests}) {
        Suite *suite = suite_create("mesh");
        suite_add_tcase(suite, tests());
        srunner_add_suite(runner, suite);
    }
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
