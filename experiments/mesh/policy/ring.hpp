// SPDX-License-Identifier: GPL-2.0-or-later
//
// The closed walk over equal rectangles along which Folding rotates (McCann's thesis, s. 4.4.1 and
// 4.4.5, figures 4.5 and 4.7-4.9: "partition cycle").
#pragma once

#include "experiments/mesh/policy/mesh.hpp"

#include <optional>
#include <vector>

namespace vmall::policy::mesh {

// Equal rectangles that cover the mesh, in walking order; the first follows the last. Two that
// follow each other join to a rectangle.
using Ring = std::vector<Rectangle>;

// Every rectangle of the ring halved, so that the halves of each follow each other: the local
// change of the walk. By rows: into an upper and a lower half. Nothing if no order of the halves
// closes the walk (figure 4.8).
std::optional<Ring> halve(const Ring &ring, bool by_rows);

// The ring of 2^level rectangles, for a level from 0 up to the one with single processors. The mesh
// is split along its larger dimension first (rows, if they are equal), then along the other one in
// turn, as long as there is something to split.
//
// A ring is the halved ring of the level below wherever that works; where it does not, the walk
// over the level below is redefined first, as a comb (figure 4.9). On a square mesh that is so from
// 16 to 32 rectangles, as the thesis says, and at every level after it.
//
// Throws std::invalid_argument for a level that the mesh does not have, and for a mesh of one row
// or one column with more than two processors, on which there is no closed walk.
Ring ring(const Mesh &mesh, int level);

} // namespace vmall::policy::mesh
