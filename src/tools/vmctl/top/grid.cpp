// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tables that fit a width.
#include "tools/vmctl/top/grid.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace vmall::vmctl::top {

namespace {

std::size_t width_of(const Column &column) {
    std::size_t width = column.title.size();
    for (const std::string &cell : column.cells)
        width = std::max(width, cell.size());
    return width;
}

// With the blank behind each.
std::size_t width_of(const std::vector<Column> &columns) {
    return std::accumulate(
        columns.begin(), columns.end(), std::size_t{0},
        [](std::size_t sum, const Column &column) { return sum + width_of(column) + 1; });
}

void drop_columns(std::vector<Column> &columns, std::size_t highest_width) {
    while (width_of(columns) > highest_width) {
        const auto last = std::find_if(columns.rbegin(), columns.rend(),
                                       [](const Column &column) { return column.can_go; });
        if (last == columns.rend())
            return;
        columns.erase(std::next(last).base());
    }
}

std::string padded(const std::string &cell, const Column &column) {
    const std::string blanks(width_of(column) - cell.size(), ' ');
    return (column.is_number ? blanks + cell : cell + blanks) + " ";
}

} // namespace

Line cut(const Line &line, std::size_t width) {
    Line result;
    for (Span span : line) {
        span.text.resize(std::min(span.text.size(), width));
        width -= span.text.size();
        if (!span.text.empty())
            result.push_back(std::move(span));
    }
    return result;
}

std::vector<Line> grid(std::vector<Column> columns, std::size_t rows, const Rest &rest,
                       std::size_t width) {
    drop_columns(columns, width - std::min(width, rest.least));
    const std::size_t used = width_of(columns);
    std::string titles;
    for (const Column &column : columns)
        titles += padded(column.title, column);
    titles += rest.title;
    titles.resize(width, ' ');
    std::vector<Line> lines = {Line{Span(titles, Style::title)}};
    for (std::size_t row = 0; row < rows; ++row) {
        std::string cells;
        for (const Column &column : columns)
            cells += padded(column.cells[row], column);
        Line line{Span(cells)};
        const Line behind = rest.of(row, width - std::min(width, used));
        line.insert(line.end(), behind.begin(), behind.end());
        lines.push_back(cut(line, width));
    }
    return lines;
}

} // namespace vmall::vmctl::top
