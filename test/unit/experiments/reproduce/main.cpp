// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs the unit tests of the papers' experiments.
#include "suites.hpp"

#include "run.hpp"

int main() {
    return run({verdict_suite(), page_suite(), run_suite(), variants_suite(), grid_suite()});
}
