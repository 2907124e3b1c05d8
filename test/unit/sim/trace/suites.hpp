// SPDX-License-Identifier: GPL-2.0-or-later
//
// The suites of what reads, writes and generates workloads.
#pragma once

#include "run.hpp"

TCase *number_tests();
TCase *specification_tests();
TCase *estimate_tests();
TCase *disturbance_tests();
TCase *swf_tests();
TCase *sacct_tests();
TCase *sacct_file_tests();
TCase *generator_tests();
TCase *paper_workload_tests();
TCase *hostile_tests();
