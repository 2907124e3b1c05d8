// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs the unit tests of the simulations on a mesh.
#include "suites.hpp"

int main() {
    SRunner *runner = srunner_create(nullptr);
    for (const auto tests :
         {choice_tests, static_analysis_tests, birth_death_tests, workload_tests, simulate_tests}) {
        Suite *suite = suite_create("simulation of mesh policies");
        suite_add_tcase(suite, tests());
        srunner_add_suite(runner, suite);
    }
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
