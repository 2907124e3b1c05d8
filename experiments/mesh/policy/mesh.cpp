// SPDX-License-Identifier: GPL-2.0-or-later
//
// A mesh of processors and rectangles of it.
#include "experiments/mesh/policy/mesh.hpp"

#include <algorithm>
#include <stdexcept>

namespace vmall::policy::mesh {

namespace {

constexpr int highest_log = 20;

int common_length(int a, int a_length, int b, int b_length) {
    return std::max(0, std::min(a + a_length, b + b_length) - std::max(a, b));
}

bool ranges_touch(int a, int a_length, int b, int b_length) {
    return a + a_length == b || b + b_length == a;
}

} // namespace

Mesh::Mesh(int log_rows, int log_columns) : log_rows_(log_rows), log_columns_(log_columns) {
    if (log_rows < 0 || log_columns < 0 || log_rows > highest_log ||
        log_columns > highest_log - log_rows)
        throw std::invalid_argument("a mesh has from 1 to 2^20 processors");
}

int common_processors(const Rectangle &a, const Rectangle &b) {
    return common_length(a.row, a.rows, b.row, b.rows) *
           common_length(a.column, a.columns, b.column, b.columns);
}

bool join_to_rectangle(const Rectangle &a, const Rectangle &b) {
    const bool same_rows = a.row == b.row && a.rows == b.rows;
    const bool same_columns = a.column == b.column && a.columns == b.columns;
    return (same_columns && ranges_touch(a.row, a.rows, b.row, b.rows)) ||
           (same_rows && ranges_touch(a.column, a.columns, b.column, b.columns));
}

Rectangle around(const Rectangle &a, const Rectangle &b) {
    const int row = std::min(a.row, b.row);
    const int column = std::min(a.column, b.column);
    return {row, column, std::max(a.row + a.rows, b.row + b.rows) - row,
            std::max(a.column + a.columns, b.column + b.columns) - column};
}

int floor_log2(int value) {
    int log = 0;
    while (value >> (log + 1) > 0)
        log++;
    return log;
}

} // namespace vmall::policy::mesh
