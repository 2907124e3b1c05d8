// SPDX-License-Identifier: GPL-2.0-or-later
//
// Halving a mesh until a part has the size asked for.
#include "submesh.hpp"

#include <stdexcept>

namespace vmall::policy::buddy {

Submesh submesh_of(const Rectangle &rectangle, int rows, int columns) {
    Submesh part = {0, 0, rows, columns};
    int first = 0;
    int size = rows * columns;
    while (size > rectangle.processors) {
        int &side = part.rows > part.columns ? part.rows : part.columns;
        if (side % 2 != 0)
            throw std::invalid_argument("a mesh for BUDDY has a power of two of rows and columns");
        side /= 2;
        size /= 2;
        if (rectangle.first_processor >= first + size) {
            first += size;
            int &corner = &side == &part.rows ? part.row : part.column;
            corner += side;
        }
    }
    if (rectangle.first_processor != first || rectangle.processors != size)
        throw std::invalid_argument("halving the mesh does not give these processors");
    return part;
}

} // namespace vmall::policy::buddy
