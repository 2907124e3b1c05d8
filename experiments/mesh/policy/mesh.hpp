// SPDX-License-Identifier: GPL-2.0-or-later
//
// A mesh of processors and rectangles of it (McCann's thesis, s. 2.1 and 2.3).
//
// The policies of this folder give every job a rectangle, so that messages between its processors
// never cross links between those of another job. A job has as many threads as the machine has
// processors, laid out as the machine is (its "virtual machine", s. 2.4).
#pragma once

namespace vmall::policy::mesh {

// 2^log_rows by 2^log_columns processors (the thesis: M and N).
class Mesh {
  public:
    // Throws std::invalid_argument if a number is negative or there are more than 2^20 processors.
    Mesh(int log_rows, int log_columns);

    int log_rows() const { return log_rows_; }
    int log_columns() const { return log_columns_; }
    int rows() const { return 1 << log_rows_; }
    int columns() const { return 1 << log_columns_; }
    int processors() const { return 1 << (log_rows_ + log_columns_); }

  private:
    int log_rows_;
    int log_columns_;
};

// Processors of rows [row, row + rows) and columns [column, column + columns). Empty: no rows.
struct Rectangle {
    int row = 0;
    int column = 0;
    int rows = 0;
    int columns = 0;

    int processors() const { return rows * columns; }

    friend bool operator==(const Rectangle &a, const Rectangle &b) {
        return a.row == b.row && a.column == b.column && a.rows == b.rows && a.columns == b.columns;
    }
    friend bool operator!=(const Rectangle &a, const Rectangle &b) { return !(a == b); }
};

inline Rectangle whole(const Mesh &mesh) {
    return {0, 0, mesh.rows(), mesh.columns()};
}

// Processors in both.
int common_processors(const Rectangle &a, const Rectangle &b);

inline bool overlap(const Rectangle &a, const Rectangle &b) {
    return common_processors(a, b) > 0;
}

// They share a full edge, so that both together are a rectangle.
bool join_to_rectangle(const Rectangle &a, const Rectangle &b);

// The smallest rectangle around both, neither of them empty.
Rectangle around(const Rectangle &a, const Rectangle &b);

// The same rectangle of the mesh with rows and columns exchanged.
inline Rectangle transposed(const Rectangle &r) {
    return {r.column, r.row, r.columns, r.rows};
}

// The largest k with 2^k <= value, which is 1 or more.
int floor_log2(int value);

inline bool is_power_of_two(int value) {
    return value > 0 && (value & (value - 1)) == 0;
}

inline int divide_up(int dividend, int divisor) {
    return (dividend + divisor - 1) / divisor;
}

} // namespace vmall::policy::mesh
