// SPDX-License-Identifier: GPL-2.0-or-later
//
// Threads on processors: McCann's figures 2.3, 4.3 and 4.4, and what both mappings keep.
#include "experiments/mesh/policy/mapping.hpp"
#include "suites.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace {

using namespace vmall::policy::mesh;

const Mesh square(4, 4);

bool next_to_each_other(const Place &a, const Place &b) {
    return std::abs(a.row - b.row) + std::abs(a.column - b.column) == 1;
}

} // namespace

START_TEST(figure_2_3_maps_8x8_threads_onto_3x5_processors) {
    const Mesh mesh(3, 3);
    const std::vector<int> expected = {6, 6, 3, 6, 3, 6, 6, 3, 6, 3, 4, 4, 2, 4, 2};
    ck_assert(threads_by_processor(mesh, 3, 5, Mapping::contraction) == expected);
    ck_assert_int_eq(most_threads(mesh, 3, 5, Mapping::contraction), 6);
}
END_TEST

START_TEST(figure_4_3_maps_16x16_threads_onto_4x5_processors) {
    const auto threads = threads_by_processor(square, 4, 5, Mapping::snake);
    for (std::size_t processor = 0; processor < threads.size(); processor++)
        ck_assert_int_eq(threads[processor], processor % 5 == 4 ? 12 : 13);
    ck_assert_int_eq(most_threads(square, 4, 5, Mapping::snake), 13);
    ck_assert_int_eq(most_threads(square, 4, 5, Mapping::contraction), 16);
}
END_TEST

// Figure 4.4: four rows of threads in each of the four rows of processors.
START_TEST(figure_4_4_begins_below_in_even_rows_and_above_in_odd_ones) {
    ck_assert_int_eq(snake_index(square, 4, {3, 0}), 0);
    ck_assert_int_eq(snake_index(square, 4, {0, 0}), 3);
    ck_assert_int_eq(snake_index(square, 4, {0, 1}), 4);
    ck_assert_int_eq(snake_index(square, 4, {3, 1}), 7);
    ck_assert_int_eq(snake_index(square, 4, {4, 0}), 0);
    ck_assert_int_eq(snake_index(square, 4, {7, 0}), 3);
    ck_assert_int_eq(snake_index(square, 4, {7, 1}), 4);
}
END_TEST

START_TEST(a_snake_goes_from_thread_to_neighbour) {
    for (const int rows : {1, 2, 4, 8, 16}) {
        std::vector<Place> path(square.processors() / rows, Place{-1, -1});
        const int first_row = (rows > 1 ? 1 : 0) * square.rows() / rows; // an odd one, if any
        for (int row = first_row; row < first_row + square.rows() / rows; row++)
            for (int column = 0; column < square.columns(); column++)
                path.at(snake_index(square, rows, {row, column})) = {row, column};
        for (std::size_t i = 1; i < path.size(); i++)
            ck_assert(next_to_each_other(path[i - 1], path[i]));
    }
}
END_TEST

START_TEST(a_snake_keeps_neighbours_across_rows_of_processors_in_one_column) {
    for (int columns = 1; columns <= square.columns(); columns++) {
        for (int column = 0; column < square.columns(); column++) {
            for (int row = 3; row < 15; row += 4) {
                const auto above = place(square, 4, columns, Mapping::snake, {row, column});
                const auto below = place(square, 4, columns, Mapping::snake, {row + 1, column});
                ck_assert_int_eq(above.column, below.column);
                ck_assert_int_eq(above.row + 1, below.row);
            }
        }
    }
}
END_TEST

START_TEST(contraction_keeps_adjacent_threads_adjacent) {
    for (int rows = 1; rows <= 16; rows++) {
        for (int thread = 1; thread < 16; thread++) {
            const auto before = place(square, rows, 1, Mapping::contraction, {thread - 1, 0});
            const auto after = place(square, rows, 1, Mapping::contraction, {thread, 0});
            ck_assert(after.row == before.row || after.row == before.row + 1);
        }
    }
}
END_TEST

// On every rectangle of several meshes, by counting.
START_TEST(the_most_loaded_processor_has_what_the_formula_says) {
    for (const Mesh &mesh : {Mesh(0, 0), Mesh(1, 3), Mesh(3, 1), Mesh(3, 3), Mesh(2, 4)}) {
        for (int rows = 1; rows <= mesh.rows(); rows++) {
            for (int columns = 1; columns <= mesh.columns(); columns++) {
                const auto contracted =
                    threads_by_processor(mesh, rows, columns, Mapping::contraction);
                ck_assert_int_eq(*std::max_element(contracted.begin(), contracted.end()),
                                 most_threads(mesh, rows, columns, Mapping::contraction));
                if (!is_power_of_two(rows) && !is_power_of_two(columns))
                    continue;
                const auto along = threads_by_processor(mesh, rows, columns, Mapping::snake);
                const auto [least, most] = std::minmax_element(along.begin(), along.end());
                ck_assert_int_eq(*most, most_threads(mesh, rows, columns, Mapping::snake));
                ck_assert_int_eq(*least, mesh.processors() / (rows * columns));
            }
        }
    }
}
END_TEST

START_TEST(what_cannot_be_mapped_is_refused) {
    const auto map = [](int rows, int columns, Mapping mapping) {
        return refusal<std::invalid_argument>(
            [&] { most_threads(square, rows, columns, mapping); });
    };
    ck_assert_contains(map(0, 4, Mapping::contraction), "rectangle of the mesh");
    ck_assert_contains(map(17, 4, Mapping::contraction), "rectangle of the mesh");
    ck_assert_contains(map(3, 5, Mapping::snake), "power of two");
    ck_assert_contains(refusal<std::invalid_argument>([] { Mesh(-1, 4); }), "from 1 to 2^20");
    ck_assert_contains(refusal<std::invalid_argument>([] { Mesh(11, 10); }), "from 1 to 2^20");
}
END_TEST

TCase *mapping_tests() {
    TCase *tests = tcase_create("mapping");
    tcase_add_test(tests, figure_2_3_maps_8x8_threads_onto_3x5_processors);
    tcase_add_test(tests, figure_4_3_maps_16x16_threads_onto_4x5_processors);
    tcase_add_test(tests, figure_4_4_begins_below_in_even_rows_and_above_in_odd_ones);
    tcase_add_test(tests, a_snake_goes_from_thread_to_neighbour);
    tcase_add_test(tests, a_snake_keeps_neighbours_across_rows_of_processors_in_one_column);
    tcase_add_test(tests, contraction_keeps_adjacent_threads_adjacent);
    tcase_add_test(tests, the_most_loaded_processor_has_what_the_formula_says);
    tcase_add_test(tests, what_cannot_be_mapped_is_refused);
    return tests;
}
