// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tables for people.
#pragma once

#include <string>
#include <vector>

namespace vmall::sim {

// Columns as wide as their widest cell, two blanks apart: the first to the left, the others to the
// right. Cells are ASCII; every line is as long as the first.
std::string text_table(const std::vector<std::vector<std::string>> &lines);

// With this many digits after the point, whatever the locale.
std::string fixed(double value, int digits);

} // namespace vmall::sim
