// SPDX-License-Identifier: GPL-2.0-or-later
//
// The tests of this program, one group for each file.
#pragma once

#include "run.hpp"

TCase *mapping_tests();
TCase *equipartition_tests();
TCase *ring_tests();
TCase *rotation_tests();
TCase *folding_tests();
TCase *sequence_tests();
TCase *efficiency_tests();
