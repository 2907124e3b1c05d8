// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs the tests of what reads, writes and generates workloads.
#include "suites.hpp"

int main() {
    return run("traces", {number_tests(), specification_tests(), estimate_tests(),
                          disturbance_tests(), swf_tests(), sacct_tests(), sacct_file_tests(),
                          generator_tests(), paper_workload_tests(), hostile_tests()});
}
