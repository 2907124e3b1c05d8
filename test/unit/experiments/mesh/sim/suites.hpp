// SPDX-License-Identifier: GPL-2.0-or-later
//
// The tests of this program, one group for each file.
#pragma once

#include "run.hpp"

TCase *choice_tests();
TCase *static_analysis_tests();
TCase *birth_death_tests();
TCase *workload_tests();
TCase *simulate_tests();
