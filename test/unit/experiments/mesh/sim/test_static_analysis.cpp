// SPDX-License-Identifier: GPL-2.0-or-later
//
// Efficiency preservation and fairness of a fixed number of jobs, worked out by hand.
#include "experiments/mesh/sim/static_analysis.hpp"
#include "near.hpp"
#include "suites.hpp"

#include <limits>

namespace {

using namespace vmall::policy::mesh;
using namespace vmall::sim::mesh;

const Mesh square(4, 4);
constexpr double infinity = std::numeric_limits<double>::infinity();

double preserved(const char *policy, int jobs) {
    StepTimes step_times(square, Environment{});
    return efficiency_preservation(parse_choice(policy), jobs, step_times);
}

// Milliseconds of a step: 102 alone. EQUI with 13 jobs: twelve have 4 x 5 processors, one 16 x 1.
// Folding with 3 jobs: one 8 x 16 (203.5), two 8 x 8 (400 + 4 + 1.5); f(3) = 2.
const struct {
    const char *policy;
    int jobs;
    double preserved;
} by_hand[] = {
    {"equi", 1, 1},
    {"equi", 2, 2 * 102 / 203.5},
    {"equi", 13, 12 * 102 / 1615.5 + 102 / (1600 + 17 + 7.5)},
    {"equi+", 13, 12 * 102 / (1300 + 8 + 6.0) + 102 / (1600 + 17 + 7.5)},
    {"fold-inf", 3, 102 / 203.5 + 2 * 102 / 405.5},
    {"fold-20", 3, (102 / 203.5 + 2 * 102 / 405.5) * (1 - 2 * 8 * 0.0425 / 20)},
    {"fold-20j", 3, (102 / 203.5 + 2 * 102 / 405.5) * (1 - 2 * 8 * 0.0425 / 60)},
};

// Folding's are a cycle of three intervals of 8/15, and large or small partitions for the rest.
const struct {
    int jobs;
    double interval;
    double heaviest;
    double lightest;
} folding[] = {
    {1, infinity, 1, 1},
    {4, 8 / 15.0, 1, 1},
    {3, infinity, 4 / 3.0, 2 / 3.0},
    {3, 1.01, 4 / 3.0, 2 / 3.0},
    {3, 8 / 15.0, 8 / 15.0 + 7 / 15.0 * 4 / 3.0, 8 / 15.0 + 7 / 15.0 * 2 / 3.0},
    {3, 4 / 15.0, 12 / 15.0 + 3 / 15.0 * 4 / 3.0, 12 / 15.0 + 3 / 15.0 * 2 / 3.0},
    // N(6) = 3: three cycles of 3 x 8/15 in six times the time alone.
    {6, 8 / 15.0, 12 / 15.0 + 3 / 15.0 * 8 / 6.0, 12 / 15.0 + 3 / 15.0 * 4 / 6.0},
};

} // namespace

START_TEST(efficiency_preservation_by_hand) {
    ck_assert_near(preserved(by_hand[_i].policy, by_hand[_i].jobs), by_hand[_i].preserved);
}
END_TEST

START_TEST(another_overhead_can_be_taken) {
    StepTimes step_times(square, Environment{});
    const Choice choice = parse_choice("fold-20");
    const double derived =
        efficiency_preservation(choice, 3, step_times, rotation_overhead_derived);
    ck_assert_near(derived, preserved("fold-inf", 3) * (1 - 2 * 8 * 0.0425 / 20 / 4));
}
END_TEST

START_TEST(equal_threads_take_what_the_formula_says) {
    StepTimes times(square, Environment{});
    ck_assert_near(times(4, 5, Mapping::snake), 1.314);
    ck_assert_near(times.alone(), 0.102);
}
END_TEST

// The longest of n numbers from U(0.095, 0.105) is 0.095 + 0.01 n / (n + 1) on average; 256 of them
// on one processor take 25.6.
START_TEST(unequal_threads_wait_for_the_longest) {
    StepTimes times(square, Environment{}, 0.005, 3, 2000);
    ck_assert_near(times.alone(), 0.095 + 0.01 * 256 / 257 + 0.002, 1e-5);
    const double one_processor = step_overhead(square, 1, 1, Mapping::contraction, Environment{});
    ck_assert_near(times(1, 1, Mapping::contraction), 25.6 + one_processor, 0.005);
    StepTimes again(square, Environment{}, 0.005, 3, 2000);
    ck_assert(again(1, 1, Mapping::contraction) == times(1, 1, Mapping::contraction));
    ck_assert(again.alone() == times.alone());
}
END_TEST

// 11 jobs on 16 x 16 have 4 x 6, 5 x 4 or 6 x 4 processors.
START_TEST(fairness_of_equipartition_by_hand) {
    const auto equi = equipartition_fairness(square, 11, Mapping::contraction);
    ck_assert_near(equi.heaviest, 16 / 11.0);
    ck_assert_near(equi.lightest, 12 / 11.0);
    const auto equi_plus = equipartition_fairness(square, 11, Mapping::snake);
    ck_assert_near(equi_plus.heaviest, 13 / 11.0);
    ck_assert_near(equi_plus.lightest, 11 / 11.0);
}
END_TEST

START_TEST(fairness_of_folding_by_hand) {
    const auto fairness = folding_fairness(folding[_i].jobs, folding[_i].interval);
    ck_assert_near(fairness.heaviest, folding[_i].heaviest);
    ck_assert_near(fairness.lightest, folding[_i].lightest);
}
END_TEST

TCase *static_analysis_tests() {
    TCase *tests = tcase_create("static analysis");
    tcase_add_loop_test(tests, efficiency_preservation_by_hand, 0,
                        sizeof by_hand / sizeof by_hand[0]);
    tcase_add_test(tests, another_overhead_can_be_taken);
    tcase_add_test(tests, equal_threads_take_what_the_formula_says);
    tcase_add_test(tests, unequal_threads_wait_for_the_longest);
    tcase_add_test(tests, fairness_of_equipartition_by_hand);
    tcase_add_loop_test(tests, fairness_of_folding_by_hand, 0, sizeof folding / sizeof folding[0]);
    return tests;
}
