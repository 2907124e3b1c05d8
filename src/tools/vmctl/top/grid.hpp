// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tables that fit a width: columns of text, and behind them what takes the rest of the line.
#pragma once

#include "tools/vmctl/style.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace vmall::vmctl::top {

struct Column {
    std::string title;
    bool is_number;
    bool can_go;                    // where there is little room, the last of these first
    std::vector<std::string> cells; // for each row
};

// What stands behind the columns: `of` a row, at most so many characters.
struct Rest {
    std::string title;
    std::size_t least; // room that it wants, at which columns stay
    std::function<Line(std::size_t row, std::size_t room)> of;
};

// A line of titles, then one for each of `rows`. None is longer than `width`.
std::vector<Line> grid(std::vector<Column> columns, std::size_t rows, const Rest &rest,
                       std::size_t width);

// The first so many characters.
Line cut(const Line &line, std::size_t width);

} // namespace vmall::vmctl::top
