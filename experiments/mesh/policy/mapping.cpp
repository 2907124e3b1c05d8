// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which processor of its rectangle runs which thread of a job.
#include "experiments/mesh/policy/mapping.hpp"

#include <stdexcept>

namespace vmall::policy::mesh {

namespace {

Place transposed(const Place &place) {
    return {place.column, place.row};
}

Place contract(const Mesh &mesh, int rows, int columns, const Place &thread) {
    return {thread.row * rows / mesh.rows(), thread.column * columns / mesh.columns()};
}

Place along_snake(const Mesh &mesh, int rows, int columns, const Place &thread) {
    const int threads_in_row = mesh.processors() / rows;
    return {thread.row * rows / mesh.rows(),
            snake_index(mesh, rows, thread) * columns / threads_in_row};
}

bool divides_evenly(const Mesh &mesh, int rows) {
    return is_power_of_two(rows) && rows <= mesh.rows();
}

void check(const Mesh &mesh, int rows, int columns, Mapping mapping) {
    if (rows < 1 || columns < 1 || rows > mesh.rows() || columns > mesh.columns())
        throw std::invalid_argument("threads are mapped onto a rectangle of the mesh");
    if (mapping == Mapping::snake && !is_power_of_two(rows) && !is_power_of_two(columns))
        throw std::invalid_argument("a snake needs a power of two of rows or columns");
}

} // namespace

int snake_index(const Mesh &mesh, int rows, const Place &thread) {
    const int height = mesh.rows() / rows;
    const int depth = thread.row % height;
    const bool begins_below = thread.row / height % 2 == 0;
    const bool upwards = begins_below == (thread.column % 2 == 0);
    return thread.column * height + (upwards ? height - 1 - depth : depth);
}

Place place(const Mesh &mesh, int rows, int columns, Mapping mapping, const Place &thread) {
    check(mesh, rows, columns, mapping);
    if (mapping == Mapping::contraction)
        return contract(mesh, rows, columns, thread);
    if (divides_evenly(mesh, rows))
        return along_snake(mesh, rows, columns, thread);
    const Mesh turned(mesh.log_columns(), mesh.log_rows());
    return transposed(along_snake(turned, columns, rows, transposed(thread)));
}

int most_threads(const Mesh &mesh, int rows, int columns, Mapping mapping) {
    check(mesh, rows, columns, mapping);
    return mapping == Mapping::snake
               ? divide_up(mesh.processors(), rows * columns)
               : divide_up(mesh.rows(), rows) * divide_up(mesh.columns(), columns);
}

std::vector<int> threads_by_processor(const Mesh &mesh, int rows, int columns, Mapping mapping) {
    std::vector<int> threads(static_cast<std::size_t>(rows) * columns, 0);
    for (int row = 0; row < mesh.rows(); row++) {
        for (int column = 0; column < mesh.columns(); column++) {
            const Place at = place(mesh, rows, columns, mapping, {row, column});
            threads[static_cast<std::size_t>(at.row) * columns + at.column]++;
        }
    }
    return threads;
}

} // namespace vmall::policy::mesh
