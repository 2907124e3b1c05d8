// SPDX-License-Identifier: GPL-2.0-or-later
//
// Folding costs: how they are written, what they are at which MPL.
#include "run.hpp"
#include "sim/model/folding_cost.hpp"

#include <stdexcept>

using vmall::sim::FoldingCost;
using vmall::sim::parse_folding_cost;

namespace {

START_TEST(is_free_unless_said) {
    for (int mpl = 1; mpl <= 5; mpl++)
        ck_assert_double_eq(FoldingCost().at(mpl), 1);
}
END_TEST

START_TEST(goes_by_mpl_and_the_last_is_for_all_that_follow) {
    const FoldingCost cost = parse_folding_cost("1.25,1.5");
    const double expected[] = {1, 1.25, 1.5, 1.5, 1.5};
    for (int mpl = 1; mpl <= 5; mpl++)
        ck_assert_double_eq(cost.at(mpl), expected[mpl - 1]);
}
END_TEST

struct Bad {
    const char *text;
    const char *reason;
};

const Bad bad[] = {
    {"", "folding cost \"\" ends where a number should be"},
    {"1.1,", "folding cost \"1.1,\" ends where a number should be"},
    {"0.9", "folding cost \"0.9\" is not a number from 1 to 1000"},
    {"1.1,x", "folding cost \"x\" is not a number"},
    {"1.1 ", "folding cost \"1.1 \" is not a number"},
    {"nan", "folding cost \"nan\" is not a number"},
    {"1e9", "folding cost \"1e9\" is not a number"},
    {"1,1,1,1", "folding cost \"1,1,1,1\" goes beyond MPL 4"},
};

START_TEST(refuses) {
    const auto error = refusal<std::invalid_argument>([=] { parse_folding_cost(bad[_i].text); });
    ck_assert_contains(error, bad[_i].reason);
}
END_TEST

START_TEST(has_no_mpl_below_one) {
    ck_assert_contains(refusal<std::out_of_range>([] { FoldingCost().at(0); }), "an MPL of 0");
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("folding cost");
    tcase_add_test(tests, is_free_unless_said);
    tcase_add_test(tests, goes_by_mpl_and_the_last_is_for_all_that_follow);
    tcase_add_loop_test(tests, refuses, 0, std::size(bad));
    tcase_add_test(tests, has_no_mpl_below_one);
    return run("folding cost", tests);
}
