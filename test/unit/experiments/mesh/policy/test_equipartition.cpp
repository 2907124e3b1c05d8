// SPDX-License-Identifier: GPL-2.0-or-later
//
// The partitions of EQUI: McCann's examples for 11 and 13 jobs, and every number of jobs on every
// small mesh.
#include "experiments/mesh/policy/equipartition.hpp"
#include "suites.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace {

using namespace vmall::policy::mesh;

std::string sizes(const std::vector<Rectangle> &partitions) {
    std::string text;
    for (const auto &partition : partitions) {
        text += (text.empty() ? "" : " ") + std::to_string(partition.rows) + "x" +
                std::to_string(partition.columns);
    }
    return text;
}

bool disjoint(const std::vector<Rectangle> &partitions) {
    for (std::size_t i = 0; i < partitions.size(); i++) {
        for (std::size_t j = 0; j < i; j++)
            if (overlap(partitions[i], partitions[j]))
                return false;
    }
    return true;
}

int processors(const std::vector<Rectangle> &partitions) {
    int sum = 0;
    for (const auto &partition : partitions)
        sum += partition.processors();
    return sum;
}

bool inside(const Mesh &mesh, const Rectangle &r) {
    return r.rows > 0 && r.columns > 0 && r.row >= 0 && r.column >= 0 &&
           r.row + r.rows <= mesh.rows() && r.column + r.columns <= mesh.columns();
}

// s. 4.3.1 has 11 partitions worked out (it prints the remainder's as 5x6 and 4x6; with the four
// columns it gives them they are these), figure 4.3 has 13. Powers of two are figure 4.2's. The
// others follow from the rules, with the spare columns as the header says.
const struct {
    int jobs;
    const char *sizes;
} on_16x16[] = {
    {1, "16x16"},
    {2, "8x16 8x16"},
    {3, "8x11 8x11 16x5"},
    {4, "8x8 8x8 8x8 8x8"},
    {5, "7x8 6x8 7x8 6x8 3x16"},
    {7, "5x8 5x8 4x8 5x8 5x8 4x8 2x16"},
    {8, "4x8 4x8 4x8 4x8 4x8 4x8 4x8 4x8"},
    {11, "4x6 4x6 4x6 4x6 4x6 4x6 4x6 4x6 5x4 5x4 6x4"},
    {13, "4x5 4x5 4x5 4x5 4x5 4x5 4x5 4x5 4x5 4x5 4x5 4x5 16x1"},
    {16, "4x4 4x4 4x4 4x4 4x4 4x4 4x4 4x4 4x4 4x4 4x4 4x4 4x4 4x4 4x4 4x4"},
};

} // namespace

START_TEST(partitions_of_a_16x16_mesh) {
    const auto &row = on_16x16[_i];
    ck_assert_text(sizes(equipartition(Mesh(4, 4), row.jobs)), row.sizes);
}
END_TEST

START_TEST(every_mesh_is_covered_for_every_number_of_jobs) {
    for (int log_rows = 0; log_rows <= 4; log_rows++) {
        for (int log_columns = 0; log_columns <= 4; log_columns++) {
            const Mesh mesh(log_rows, log_columns);
            for (int jobs = 1; jobs <= mesh.processors(); jobs++) {
                const auto partitions = equipartition(mesh, jobs);
                ck_assert_uint_eq(partitions.size(), jobs);
                ck_assert(disjoint(partitions));
                ck_assert_int_eq(processors(partitions), mesh.processors());
                for (const auto &partition : partitions) {
                    ck_assert(inside(mesh, partition));
                    ck_assert(is_power_of_two(partition.rows) ||
                              is_power_of_two(partition.columns));
                }
            }
        }
    }
}
END_TEST

START_TEST(a_power_of_two_of_jobs_gets_equal_partitions) {
    for (int log_jobs = 0; log_jobs <= 8; log_jobs++) {
        const auto partitions = equipartition(Mesh(4, 4), 1 << log_jobs);
        for (const auto &partition : partitions)
            ck_assert_int_eq(partition.processors(), 256 >> log_jobs);
    }
}
END_TEST

START_TEST(other_numbers_of_jobs_are_refused) {
    for (const int jobs : {-1, 0, 5}) {
        ck_assert_contains(refusal<std::invalid_argument>([&] { equipartition(Mesh(1, 1), jobs); }),
                           "divided among 1 job");
    }
}
END_TEST

TCase *equipartition_tests() {
    TCase *tests = tcase_create("equipartition");
    tcase_add_loop_test(tests, partitions_of_a_16x16_mesh, 0, sizeof on_16x16 / sizeof on_16x16[0]);
    tcase_add_test(tests, every_mesh_is_covered_for_every_number_of_jobs);
    tcase_add_test(tests, a_power_of_two_of_jobs_gets_equal_partitions);
    tcase_add_test(tests, other_numbers_of_jobs_are_refused);
    return tests;
}
