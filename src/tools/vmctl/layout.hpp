// SPDX-License-Identifier: GPL-2.0-or-later
//
// Text as it is shown to people: tables, names, lists of nodes.
#pragma once

#include <string>
#include <vector>

namespace vmall::vmctl {

using Line = std::vector<std::string>;

// Columns as wide as their widest cell, the last one without blanks at the end. Numbers to the
// right.
std::string lay_out(const std::vector<Line> &lines, const std::vector<bool> &is_number);

// Without what could fool a terminal: everything but printable ASCII becomes `?`.
std::string printable(const std::string &text);

// "n[1-4]" of consecutive nodes.
std::string ranged(const std::vector<std::string> &nodes);

} // namespace vmall::vmctl
