// SPDX-License-Identifier: GPL-2.0-or-later
//
// The suites of this program, one for each file.
#pragma once

#include <check.h>
#undef fail // an old macro of Check, and a member of C++ streams

Suite *verdict_suite();
Suite *page_suite();
Suite *run_suite();
Suite *variants_suite();
Suite *grid_suite();
