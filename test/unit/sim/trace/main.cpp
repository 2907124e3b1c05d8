// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs the tests of what reads, writes and generates workloads.
#include "suites.hpp"

int main() {
    Suite *suite = suite_create("traces");
    for (TCase *tests : {number_tests(), specification_tests(), swf_tests(), sacct_tests(),
                         sacct_file_tests(), launcher_tests(), generator_tests(), hostile_tests()})
        suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
