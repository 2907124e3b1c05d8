// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs the unit tests of the papers' experiments.
#include "suites.hpp"

#include <cstdlib>

int main() {
    SRunner *runner = srunner_create(verdict_suite());
    srunner_add_suite(runner, page_suite());
    srunner_add_suite(runner, run_suite());
    srunner_add_suite(runner, variants_suite());
    srunner_add_suite(runner, grid_suite());
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
