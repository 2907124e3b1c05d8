// SPDX-License-Identifier: GPL-2.0-or-later
//
// The closed walk over equal rectangles along which Folding rotates.
#include "experiments/mesh/policy/ring.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace vmall::policy::mesh {

namespace {

using Halves = std::pair<Rectangle, Rectangle>;

Halves halves(const Rectangle &r, bool by_rows) {
    if (by_rows) {
        return {{r.row, r.column, r.rows / 2, r.columns},
                {r.row + r.rows / 2, r.column, r.rows / 2, r.columns}};
    }
    return {{r.row, r.column, r.rows, r.columns / 2},
            {r.row, r.column + r.columns / 2, r.rows, r.columns / 2}};
}

// The halved walk that begins with these two; nothing if it stops or does not close.
std::optional<Ring> walk_on(const Ring &ring, bool by_rows, const Halves &begin) {
    Ring result = {begin.first, begin.second};
    for (std::size_t i = 1; i < ring.size(); i++) {
        auto [near, far] = halves(ring[i], by_rows);
        if (!join_to_rectangle(result.back(), near))
            std::swap(near, far);
        if (!join_to_rectangle(result.back(), near))
            return std::nullopt;
        result.push_back(near);
        result.push_back(far);
    }
    return join_to_rectangle(result.back(), result.front()) ? std::optional(result) : std::nullopt;
}

// Along the first row of a grid, back and forth through the other rows without their first column,
// and home along that. Rows are even in number.
std::vector<std::pair<int, int>> comb(int rows, int columns) {
    std::vector<std::pair<int, int>> cells = {{0, 0}};
    for (int row = 0; row < rows; row++)
        for (int step = 1; step < columns; step++)
            cells.emplace_back(row, row % 2 == 0 ? step : columns - step);
    for (int row = rows - 1; row > 0; row--)
        cells.emplace_back(row, 0);
    return cells;
}

// All rectangles of this size. The teeth of the comb run across the direction of the next split.
Ring comb_ring(const Mesh &mesh, int rows, int columns, bool by_rows) {
    const int grid_rows = mesh.rows() / rows;
    const int grid_columns = mesh.columns() / columns;
    Ring result;
    for (const auto &[along, across] :
         by_rows ? comb(grid_columns, grid_rows) : comb(grid_rows, grid_columns)) {
        const int row = by_rows ? across : along;
        const int column = by_rows ? along : across;
        result.push_back({row * rows, column * columns, rows, columns});
    }
    return result;
}

bool splits_by_rows(const Mesh &mesh, const Rectangle &size, int level) {
    const bool rows_first = mesh.rows() >= mesh.columns();
    const bool by_rows = rows_first == (level % 2 == 0);
    return by_rows ? size.rows > 1 : size.columns == 1;
}

Ring next_level(const Mesh &mesh, const Ring &ring, int level) {
    const Rectangle &size = ring.front();
    const bool by_rows = splits_by_rows(mesh, size, level);
    if (const auto local = halve(ring, by_rows))
        return *local;
    return halve(comb_ring(mesh, size.rows, size.columns, by_rows), by_rows).value();
}

} // namespace

std::optional<Ring> halve(const Ring &ring, bool by_rows) {
    const auto [one, other] = halves(ring.front(), by_rows);
    if (auto walk = walk_on(ring, by_rows, {one, other}))
        return walk;
    return walk_on(ring, by_rows, {other, one});
}

Ring ring(const Mesh &mesh, int level) {
    if (level < 0 || level > mesh.log_rows() + mesh.log_columns())
        throw std::invalid_argument("the mesh cannot be halved that often");
    if (std::min(mesh.rows(), mesh.columns()) == 1 && mesh.processors() > 2)
        throw std::invalid_argument("Folding needs a mesh of at least two rows and two columns");
    Ring result = {whole(mesh)};
    for (int reached = 0; reached < level; reached++)
        result = next_level(mesh, result, reached);
    return result;
}

} // namespace vmall::policy::mesh
