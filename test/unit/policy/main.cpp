// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs the unit tests of the policies.
#include "suites.hpp"

#include <cstdlib>

int main() {
    SRunner *runner = srunner_create(fjt_suite());
    srunner_add_suite(runner, sizing_suite());
    srunner_add_suite(runner, queue_suite());
    srunner_add_suite(runner, disciplines_suite());
    srunner_add_suite(runner, window_suite());
    srunner_add_suite(runner, unfolding_suite());
    srunner_add_suite(runner, nonsense_suite());
    srunner_add_suite(runner, timelines_suite());
    srunner_add_suite(runner, properties_suite());
    srunner_add_suite(runner, promises_suite());
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
