// SPDX-License-Identifier: GPL-2.0-or-later
//
// How EQUI and EQUI+ divide the mesh (McCann's thesis, s. 4.3.1, figure 4.1, eq. 4.2). They differ
// only in how threads are mapped (mapping.hpp).
//
// With k = floor(log2 J) for J jobs: a regular section of 2^X = 2^ceil(k/2) bands with
// Y = floor(J / 2^X) partitions each, as high as the band, and a remainder section across all bands
// for the W = J - 2^X Y partitions that are left. Every partition has at least one dimension that
// is a power of two: in the regular section the height of the band; in the remainder the height if
// W is a power of two, otherwise the width.
//
// Bands are rows of the mesh for J < 4 and 8 <= J < 16, columns for 4 <= J < 8, and so on, so that
// sections are added down, then across. On a mesh that is wider than high it is the other way
// round.
#pragma once

#include "experiments/mesh/policy/mesh.hpp"

#include <vector>

namespace vmall::policy::mesh {

// A partition for each of the jobs, from 1 to as many as there are processors: disjoint, covering
// the mesh. The regular section comes first, band after band. Throws std::invalid_argument for
// another number of jobs.
//
// Left open by the thesis, decided here:
// - "in a greedy manner" a spare column goes to the columns whose partitions are smallest, those of
//   the regular section first. A remainder section that must keep a power of two doubles or gets
//   nothing.
// - On meshes that are not square, X is kept between what one dimension and what the other allow.
std::vector<Rectangle> equipartition(const Mesh &mesh, int jobs);

} // namespace vmall::policy::mesh
