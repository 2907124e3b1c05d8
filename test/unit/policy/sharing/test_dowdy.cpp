// SPDX-License-Identifier: GPL-2.0-or-later
//
// Dowdy's extrapolation: the numbers of Corbalan's thesis ch. 6, and the special cases.
#include "applications.hpp"
#include "run.hpp"

#include "policy/sharing/dowdy.hpp"

#include <cmath>

namespace {

using namespace applications;
using vmall::policy::OneProcessor;
using vmall::policy::sharing::DowdyCurve;
using vmall::policy::sharing::EfficiencyCurve;

struct Row {
    const char *name;
    MeasuredEfficiency measured;
    int processors;
    double extrapolated;
};

const Row rows[] = {
    {"s. 6.5.1: 0.8 on 2 gives 0.57 on 4", {2, 0.8}, 4, 0.57},
    // The text prints 0.9, from which the formula gives 0.225: it is 0.99 that gives 0.76.
    {"s. 6.5.1: 0.99 on 2 gives 0.76 on 32", {2, 0.99}, 32, 0.76},
    {"0.9 on 2 gives 0.225 on 32", {2, 0.9}, 32, 0.225},
    {"figure 6.7: goes through 0.9 on 4", {4, 0.9}, 4, 0.9},
    {"figure 6.7: goes through 0.7 on 4", {4, 0.7}, 4, 0.7},
    {"figure 6.7: goes through 0.5 on 4", {4, 0.5}, 4, 0.5},
    {"figure 6.7: goes through 0.3 on 4", {4, 0.3}, 4, 0.3},
    {"every curve is 1 on one processor", {4, 0.3}, 1, 1},
    {"slower than on one processor: 0.2 on 4", {4, 0.2}, 4, 0.2},
    {"slower than on one processor: less on more", {4, 0.2}, 8, 0.75 / 7.75},
};

START_TEST(extrapolates) {
    const Row &row = rows[_i];
    const DowdyCurve curve(row.measured.processors, row.measured.efficiency);
    ck_assert_msg(std::abs(curve.at(row.processors) - row.extrapolated) < 0.005, "%s: %f", row.name,
                  curve.at(row.processors));
}
END_TEST

START_TEST(superlinear_efficiencies_are_taken_for_0_999) {
    for (const double efficiency : {1.0, 1.1, 1.5}) {
        const DowdyCurve curve(4, efficiency);
        ck_assert_double_eq_tol(curve.at(4), 0.999, 1e-9);
        ck_assert_double_eq_tol(curve.at(32), DowdyCurve(4, 0.999).at(32), 1e-12);
        const auto application = requests(30, {{4, efficiency}});
        ck_assert_double_eq_tol(EfficiencyCurve(application, OneProcessor::zero).at(4), 0.999,
                                1e-12);
    }
}
END_TEST

START_TEST(one_processor_gives_zero_as_in_the_thesis) {
    const auto application = requests(30, {{4, 0.9}, {1, 1.0}});
    const EfficiencyCurve curve(application, OneProcessor::zero);
    ck_assert(!curve.unknown());
    ck_assert_double_eq(curve.at(2), 0);
    ck_assert_double_eq(curve.at(32), 0);
    ck_assert_double_eq_tol(curve.at(4), 0.9, 1e-12); // measured, not extrapolated
}
END_TEST

START_TEST(one_processor_says_nothing_if_so_chosen) {
    const auto one = requests(30, {{1, 1.0}});
    ck_assert(EfficiencyCurve(one, OneProcessor::unknown).unknown());
    const auto before = requests(30, {{2, 0.8}, {1, 1.0}});
    const EfficiencyCurve curve(before, OneProcessor::unknown);
    ck_assert(!curve.unknown());
    ck_assert_double_eq_tol(curve.at(4), 4.0 / 7, 1e-9);
}
END_TEST

START_TEST(nothing_measured_is_unknown) {
    const auto application = requests(30);
    ck_assert(EfficiencyCurve(application, OneProcessor::zero).unknown());
    ck_assert(EfficiencyCurve(application, OneProcessor::unknown).unknown());
}
END_TEST

START_TEST(the_most_recent_measurement_is_extrapolated_measured_points_stay) {
    const auto application = requests(30, {{8, 0.9}, {2, 0.8}, {16, 0.4}, {16, 0.5}});
    const EfficiencyCurve curve(application, OneProcessor::zero);
    ck_assert_double_eq_tol(curve.at(8), 0.9, 1e-12);
    ck_assert_double_eq_tol(curve.at(2), 0.8, 1e-12);
    ck_assert_double_eq_tol(curve.at(16), 0.5, 1e-12);
    ck_assert_double_eq_tol(curve.at(9), DowdyCurve(16, 0.5).at(9), 1e-12);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("dowdy");
    tcase_add_loop_test(tests, extrapolates, 0, std::size(rows));
    tcase_add_test(tests, superlinear_efficiencies_are_taken_for_0_999);
    tcase_add_test(tests, one_processor_gives_zero_as_in_the_thesis);
    tcase_add_test(tests, one_processor_says_nothing_if_so_chosen);
    tcase_add_test(tests, nothing_measured_is_unknown);
    tcase_add_test(tests, the_most_recent_measurement_is_extrapolated_measured_points_stay);
    return run("dowdy", tests);
}
