// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which processor of its rectangle runs which thread of a job (McCann's thesis, s. 4.2 and 4.3.2).
//
// Threads and processors are counted from 0 by row and column; the processors within the rectangle.
#pragma once

#include "experiments/mesh/policy/mesh.hpp"

#include <vector>

namespace vmall::policy::mesh {

enum class Mapping {
    // Both dimensions shrink on their own: EQUI and Folding, eq. 4.1.
    contraction,
    // Within a row of processors the threads are divided along a snake through them: EQUI+,
    // eq. 4.3-4.5. At least one dimension of the rectangle must be a power of two; if only the
    // columns are, rows and columns change places.
    snake,
};

struct Place {
    int row = 0;
    int column = 0;
    friend bool operator==(const Place &a, const Place &b) {
        return a.row == b.row && a.column == b.column;
    }
};

// The place of a thread of the mesh's virtual machine on rows x columns processors, from 1 x 1 to
// the whole mesh. Throws std::invalid_argument for a snake on a rectangle that has none.
Place place(const Mesh &mesh, int rows, int columns, Mapping mapping, const Place &thread);

// Where a thread lies on the snake of its row of processors, from 0, when there are `rows` rows of
// processors, a power of two (eq. 4.4 and 4.5, "index(i, j)").
//
// In even rows of processors the snake begins at the lower left thread, in odd ones at the upper
// left, so that threads on both sides of the border between two rows of processors are in the same
// column of processors. As scanned, the equations run through all columns of threads in the same
// direction, which is no snake; the text and figure 4.3 ask for one. The loads are the same.
int snake_index(const Mesh &mesh, int rows, const Place &thread);

// Threads on the processor that has most of them: ceil(2^M / R) ceil(2^N / C) when contracted,
// ceil(2^(M+N) / (R C)), the least there can be, along a snake. (The scan of s. 4.2 prints floors;
// s. 4.3 and 5.2.1 have these.)
int most_threads(const Mesh &mesh, int rows, int columns, Mapping mapping);

// Threads by processor, row after row.
std::vector<int> threads_by_processor(const Mesh &mesh, int rows, int columns, Mapping mapping);

} // namespace vmall::policy::mesh
