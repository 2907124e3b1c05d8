// SPDX-License-Identifier: GPL-2.0-or-later
//
// Efficiency preservation: McCann's eq. 3.1-3.3, 5.1, 5.2 and 5.4 worked out by hand with the
// baseline of s. 5.1.
#include "experiments/mesh/policy/efficiency.hpp"
#include "suites.hpp"

#include <cmath>

namespace {

using namespace vmall::policy::mesh;

const Mesh square(4, 4);
const Environment baseline;

void ck_assert_near(double value, double expected) {
    ck_assert_msg(std::fabs(value - expected) < 1e-9, "%.12g is not %.12g", value, expected);
}

const struct {
    int rows;
    int columns;
    Mapping mapping;
    double milliseconds;
} steps[] = {
    {16, 16, Mapping::contraction, 100 + 2},          // one thread; an exchange in each dimension
    {8, 16, Mapping::contraction, 200 + 3 + 0.5},     // two threads above each other, one switch
    {4, 4, Mapping::contraction, 1600 + 8 + 7.5},     // 4 x 4 threads
    {4, 5, Mapping::contraction, 1600 + 8 + 7.5},     // as if it were 4 x 4 processors
    {4, 5, Mapping::snake, 1300 + 8 + 6},             // 13 threads (figure 4.3)
    {1, 1, Mapping::contraction, 25600 + 32 + 127.5}, // all 256 threads
};

// f(3) = 2, f(5) = 4, f(11) = 10; folding and unfolding takes (2 x 4096 + 512) KB / (200 MB/s)
// = 0.0425 s for each thread.
const struct {
    int jobs;
    double interval;
    double overhead;
} rotations[] = {
    {1, 20, 0},
    {4, 20, 0},
    {3, 20, 2 * 8 * 0.0425 / 20},
    {6, 20, 2 * 4 * 0.0425 / 20},
    {5, 200, 4 * 4 * 0.0425 / 200},
    {11, 20, 10 * 4 * 0.0425 / 20},
    {171, 20, 170 * 1 * 0.0425 / 20},
    {171, 1, 1},
};

// AE, eq. 3.1; in the scan, eq. 5.2 lacks the division by the number of processors.
double application_efficiency(double computing, double elapsed, int processors, double overhead) {
    return computing / (elapsed * processors) * (1 - overhead);
}

} // namespace

START_TEST(one_step_of_the_baseline_application) {
    const auto &row = steps[_i];
    ck_assert_near(1000 * step_time(square, row.rows, row.columns, row.mapping, baseline),
                   row.milliseconds);
}
END_TEST

START_TEST(uniprogramming_preserves_all_efficiency) {
    ck_assert_near(efficiency_preservation(0.102, {0.102}, 0), 1);
    ck_assert_near(efficiency_preservation(0.102, {0.102}, 0.1), 0.9);
}
END_TEST

// The definition, eq. 5.1, and the sum of speeds that it comes to.
START_TEST(efficiency_preservation_is_what_equation_5_1_says) {
    const double alone = step_time(square, 16, 16, Mapping::contraction, baseline);
    const double small = step_time(square, 8, 8, Mapping::contraction, baseline);
    const double large = step_time(square, 8, 16, Mapping::contraction, baseline);
    const double computing = 256 * baseline.compute;
    const double overhead = 0.03;
    const double by_definition = (64 * application_efficiency(computing, small, 64, overhead) * 2 +
                                  128 * application_efficiency(computing, large, 128, overhead)) /
                                 application_efficiency(computing, alone, 256, 0) / 256;
    ck_assert_near(efficiency_preservation(alone, {small, small, large}, overhead), by_definition);
}
END_TEST

START_TEST(two_folded_jobs_preserve_slightly_more_than_all) {
    const double folded = step_time(square, 8, 16, Mapping::contraction, baseline);
    ck_assert_near(efficiency_preservation(0.102, {folded, folded}, 0), 204 / 203.5);
}
END_TEST

START_TEST(rotations_cost_what_equation_5_4_says) {
    const auto &row = rotations[_i];
    ck_assert_near(rotation_overhead(square, row.jobs, row.interval, baseline), row.overhead);
}
END_TEST

// Three jobs: 128 of 256 threads through 16 lanes; half the processors in one rotation.
START_TEST(rotations_derived_from_equation_5_3_cost_less) {
    ck_assert_near(fold_time(square, 3, baseline), 8 * 4096 / 204800.0);
    ck_assert_near(unfold_time(square, 3, baseline), 8 * 4608 / 204800.0);
    ck_assert_near(rotation_overhead_derived(square, 3, 20, baseline), 0.5 * 8 * 0.0425 / 20);
    for (int jobs = 1; jobs <= 256; jobs++) {
        const double printed = rotation_overhead(square, jobs, 1000, baseline);
        const double derived = rotation_overhead_derived(square, jobs, 1000, baseline);
        ck_assert_near(derived, printed / (floor_log2(jobs) % 2 == 0 ? 2 : 4));
    }
}
END_TEST

START_TEST(relocation_moves_half_the_threads_when_folding) {
    const Rectangle large{0, 0, 8, 16};
    const Rectangle small{0, 8, 8, 8};
    ck_assert_near(relocation_time(square, large, small, baseline), 16 * 4096 / 204800.0);
    ck_assert_near(relocation_time(square, small, large, baseline), 16 * 4608 / 204800.0);
    ck_assert_near(relocation_time(square, large, large, baseline), 0);
    ck_assert_near(relocation_time(square, large, {8, 0, 8, 16}, baseline), 32 * 4608 / 204800.0);
}
END_TEST

TCase *efficiency_tests() {
    TCase *tests = tcase_create("efficiency preservation");
    tcase_add_loop_test(tests, one_step_of_the_baseline_application, 0,
                        sizeof steps / sizeof steps[0]);
    tcase_add_test(tests, uniprogramming_preserves_all_efficiency);
    tcase_add_test(tests, efficiency_preservation_is_what_equation_5_1_says);
    tcase_add_test(tests, two_folded_jobs_preserve_slightly_more_than_all);
    tcase_add_loop_test(tests, rotations_cost_what_equation_5_4_says, 0,
                        sizeof rotations / sizeof rotations[0]);
    tcase_add_test(tests, rotations_derived_from_equation_5_3_cost_less);
    tcase_add_test(tests, relocation_moves_half_the_threads_when_folding);
    return tests;
}
