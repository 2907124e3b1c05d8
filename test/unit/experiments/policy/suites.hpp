// SPDX-License-Identifier: GPL-2.0-or-later
//
// The suites of this program, one for each file.
#pragma once

#include <check.h>
#undef fail // an old macro of Check, and a member of C++ streams

Suite *fjt_prose_suite();
Suite *asp60_suite();
Suite *timelines_suite();
