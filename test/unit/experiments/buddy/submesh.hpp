// SPDX-License-Identifier: GPL-2.0-or-later
//
// BUDDY's processors on a two-dimensional mesh, the way Folding partitions it (s. 6.7, figure
// 6.11).
#pragma once

#include "experiments/buddy/schedule.hpp"

namespace vmall::policy::buddy {

struct Submesh {
    int row = 0;
    int column = 0;
    int rows = 0;
    int columns = 0;
    friend bool operator==(const Submesh &left, const Submesh &right) {
        return left.row == right.row && left.column == right.column && left.rows == right.rows &&
               left.columns == right.columns;
    }
};

// Where the processors of a BUDDY rectangle lie on a mesh of `rows` by `columns`, both powers of
// two: the mesh is halved along its longer dimension, a square between its columns, until a part
// has the size of the rectangle. Parts of jobs that follow each other on the same processors lie
// inside one another, so a reallocation only divides a part. Throws std::invalid_argument for a
// mesh or a rectangle that cannot be halved like that.
Submesh submesh_of(const Rectangle &rectangle, int rows, int columns);

} // namespace vmall::policy::buddy
