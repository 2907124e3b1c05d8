// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pieces of Markdown, as GitHub shows it.
#pragma once

#include <string>
#include <vector>

namespace vmall::sim::reproduce {

std::string joined(const std::vector<std::string> &texts, const std::string &between);

// A line of a table. Cells are Markdown without '|' and line breaks.
std::string row(const std::vector<std::string> &cells);
// Its first two lines.
std::string header(const std::vector<std::string> &cells);

// To a heading of the same page.
std::string link_to_heading(const std::string &heading);

} // namespace vmall::sim::reproduce
