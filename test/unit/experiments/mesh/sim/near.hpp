// SPDX-License-Identifier: GPL-2.0-or-later
//
// Comparing numbers that rounding may change.
#pragma once

#include "run.hpp"

#include <cmath>

inline void ck_assert_near(double value, double expected, double tolerance = 1e-9) {
    ck_assert_msg(std::fabs(value - expected) <= tolerance, "%.12g is not %.12g", value, expected);
}
