// SPDX-License-Identifier: GPL-2.0-or-later
//
// The closed walks that Folding rotates along: McCann's figures 4.5 and 4.7-4.9.
#include "experiments/mesh/policy/ring.hpp"
#include "suites.hpp"

#include <algorithm>
#include <stdexcept>

namespace {

using namespace vmall::policy::mesh;

bool closed(const Ring &ring) {
    for (std::size_t i = 0; ring.size() > 1 && i < ring.size(); i++)
        if (!join_to_rectangle(ring[i], ring[(i + 1) % ring.size()]))
            return false;
    return true;
}

bool covers(const Mesh &mesh, const Ring &ring) {
    std::vector<bool> covered(mesh.processors(), false);
    for (const auto &cell : ring) {
        for (int row = cell.row; row < cell.row + cell.rows; row++) {
            for (int column = cell.column; column < cell.column + cell.columns; column++) {
                auto taken = covered.begin() + row * mesh.columns() + column;
                if (*taken)
                    return false;
                *taken = true;
            }
        }
    }
    return std::count(covered.begin(), covered.end(), true) == mesh.processors();
}

// Pairs of the ring, in any order, are the rectangles of the coarser one.
bool refines(const Ring &fine, const Ring &coarse) {
    for (std::size_t i = 0; i < coarse.size(); i++) {
        const auto pair = around(fine[2 * i], fine[2 * i + 1]);
        if (std::find(coarse.begin(), coarse.end(), pair) == coarse.end())
            return false;
    }
    return true;
}

bool follows_locally(const Ring &fine, const Ring &coarse) {
    for (std::size_t i = 0; i < coarse.size(); i++)
        if (around(fine[2 * i], fine[2 * i + 1]) != coarse[i])
            return false;
    return true;
}

} // namespace

START_TEST(every_level_of_every_mesh_has_a_closed_walk) {
    for (int log_rows = 1; log_rows <= 5; log_rows++) {
        for (int log_columns = 1; log_columns <= 5; log_columns++) {
            const Mesh mesh(log_rows, log_columns);
            Ring coarse = ring(mesh, 0);
            for (int level = 1; level <= log_rows + log_columns; level++) {
                const Ring fine = ring(mesh, level);
                ck_assert_uint_eq(fine.size(), 1u << level);
                ck_assert(closed(fine));
                ck_assert(covers(mesh, fine));
                ck_assert(refines(fine, coarse));
                coarse = fine;
            }
        }
    }
}
END_TEST

// Figure 4.5: halves, quarters, eighths.
START_TEST(a_square_mesh_is_split_in_turn) {
    const Mesh mesh(4, 4);
    const int rows[] = {16, 8, 8, 4, 4, 2, 2, 1, 1};
    const int columns[] = {16, 16, 8, 8, 4, 4, 2, 2, 1};
    for (int level = 0; level <= 8; level++) {
        for (const auto &cell : ring(mesh, level)) {
            ck_assert_int_eq(cell.rows, rows[level]);
            ck_assert_int_eq(cell.columns, columns[level]);
        }
    }
}
END_TEST

START_TEST(a_mesh_is_split_along_its_larger_dimension_first) {
    ck_assert(ring(Mesh(2, 3), 1).front() == (Rectangle{0, 0, 4, 4}));
    ck_assert(ring(Mesh(3, 2), 1).front() == (Rectangle{0, 0, 4, 4}));
}
END_TEST

// Figures 4.7 and 4.8: local changes do up to 16 partitions, and not from 16 to 32.
START_TEST(local_changes_suffice_up_to_16_partitions_of_a_square_mesh) {
    const Mesh mesh(4, 4);
    for (int level = 1; level <= 8; level++) {
        const bool local = follows_locally(ring(mesh, level), ring(mesh, level - 1));
        ck_assert_int_eq(local, level <= 4);
    }
    ck_assert(!halve(ring(mesh, 4), true));
}
END_TEST

// s. 4.4.5, the last paragraph: splitting twice in the same direction goes on locally up to 32.
START_TEST(repeating_the_direction_makes_32_partitions_local) {
    const Mesh mesh(4, 4);
    const auto fine = halve(ring(mesh, 4), false);
    ck_assert(fine.has_value());
    ck_assert(closed(*fine));
    ck_assert(covers(mesh, *fine));
}
END_TEST

START_TEST(meshes_without_a_closed_walk_are_refused) {
    ck_assert_contains(refusal<std::invalid_argument>([] { ring(Mesh(0, 2), 0); }), "two rows");
    ck_assert_contains(refusal<std::invalid_argument>([] { ring(Mesh(3, 0), 0); }), "two rows");
    ck_assert_uint_eq(ring(Mesh(0, 1), 1).size(), 2);
    ck_assert_contains(refusal<std::invalid_argument>([] { ring(Mesh(1, 1), 3); }), "that often");
    ck_assert_contains(refusal<std::invalid_argument>([] { ring(Mesh(1, 1), -1); }), "that often");
}
END_TEST

TCase *ring_tests() {
    TCase *tests = tcase_create("ring");
    tcase_add_test(tests, every_level_of_every_mesh_has_a_closed_walk);
    tcase_add_test(tests, a_square_mesh_is_split_in_turn);
    tcase_add_test(tests, a_mesh_is_split_along_its_larger_dimension_first);
    tcase_add_test(tests, local_changes_suffice_up_to_16_partitions_of_a_square_mesh);
    tcase_add_test(tests, repeating_the_direction_makes_32_partitions_local);
    tcase_add_test(tests, meshes_without_a_closed_walk_are_refused);
    return tests;
}
