// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs the unit tests of the policies that only papers have.
#include "suites.hpp"

#include "run.hpp"

int main() {
    return run({fjt_prose_suite(), asp60_suite(), timelines_suite()});
}
