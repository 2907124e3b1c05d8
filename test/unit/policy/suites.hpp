// SPDX-License-Identifier: GPL-2.0-or-later
//
// The suites of this program, one for each file.
#pragma once

#include <check.h>
#undef fail // an old macro of Check, and a member of C++ streams

Suite *mpl_suite();
Suite *fjt_suite();
Suite *sizing_suite();
Suite *adaptive_suite();
Suite *least_work_suite();
Suite *least_work_properties_suite();
Suite *queue_suite();
Suite *disciplines_suite();
Suite *window_suite();
Suite *unfolding_suite();
Suite *limits_suite();
Suite *memory_suite();
Suite *overdue_suite();
Suite *work_suite();
Suite *resize_loss_suite();
Suite *nonsense_suite();
Suite *properties_suite();
Suite *promises_suite();
Suite *empty_machine_suite();
Suite *learned_cost_suite();
Suite *overruns_suite();
Suite *expected_starts_suite();
Suite *releases_suite();
Suite *tallied_room_suite();
Suite *started_job_suite();
Suite *table_suite();
