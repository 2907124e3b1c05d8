// SPDX-License-Identifier: GPL-2.0-or-later
//
// Text as it is shown to people: tables, names, lists of nodes.
#pragma once

#include "tools/vmctl/style.hpp"

#include <string>
#include <vector>

namespace vmall::vmctl {

// Columns as wide as their widest cell, the last one without blanks at the end. Numbers to the
// right. A line has a span for each cell.
std::string lay_out(const std::vector<Line> &lines, const std::vector<bool> &is_number,
                    bool coloured = false);

// Without what could fool a terminal: everything but printable ASCII becomes `?`.
std::string printable(const std::string &text);

// "n[1-4]" of consecutive nodes.
std::string ranged(const std::vector<std::string> &nodes);

} // namespace vmall::vmctl
