// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a job loses by sharing, and how many minutes more it is to have.
#include "run.hpp"
#include "spank_vm/agent/time_lost.hpp"

using namespace vmall;
using agent::TimeLost;

namespace {

constexpr policy::Seconds no_bound = 1'000'000'000;

// At MPL 2 for so long: 12 of 22 seconds are lost.
TimeLost after(policy::Seconds time) {
    TimeLost lost;
    lost.pass(1000, 2);
    lost.pass(1000 + time, 2);
    return lost;
}

START_TEST(only_time_that_it_shares_is_lost) {
    TimeLost lost;
    lost.pass(1000, 1);
    lost.pass(2000, 2);
    ck_assert_int_eq(lost.lost(), 0);
    lost.pass(2220, 1);
    lost.pass(9000, 1);
    ck_assert_int_eq(lost.lost(), 120);
    ck_assert_int_eq(lost.due(60, no_bound), 2);
}
END_TEST

START_TEST(minutes_are_due_once) {
    TimeLost lost = after(220);
    ck_assert_int_eq(lost.due(0, no_bound), 2);
    lost.extended_by(2);
    ck_assert_int_eq(lost.due(0, no_bound), 0);
    ck_assert_int_eq(lost.due(60, no_bound), 1); // before they are lost
}
END_TEST

START_TEST(no_more_than_allowed_is_due) {
    TimeLost lost = after(2200);
    ck_assert_int_eq(lost.due(0, 5 * 60), 5);
    lost.extended_by(5);
    ck_assert_int_eq(lost.due(0, 5 * 60), 0);
    ck_assert(lost.is_bounded(0, 5 * 60));
    ck_assert(!lost.is_bounded(0, no_bound));
}
END_TEST

START_TEST(clock_that_is_set_loses_nothing) {
    TimeLost lost = after(22);
    lost.pass(500, 2);
    lost.pass(500 + 100L * 24 * 3600, 2);
    ck_assert_int_eq(lost.lost(), 12);
}
END_TEST

START_TEST(it_outlives_the_agent) {
    TimeLost lost = after(220);
    lost.extended_by(1);
    TimeLost recalled = TimeLost::decode(lost.encode());
    recalled.pass(1000 + 440, 1); // it went on meanwhile
    ck_assert_int_eq(recalled.lost(), 240);
    ck_assert_int_eq(recalled.extended(), 1);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("time_lost");
    tcase_add_test(tests, only_time_that_it_shares_is_lost);
    tcase_add_test(tests, minutes_are_due_once);
    tcase_add_test(tests, no_more_than_allowed_is_due);
    tcase_add_test(tests, clock_that_is_set_loses_nothing);
    tcase_add_test(tests, it_outlives_the_agent);
    return run("time_lost", tests);
}
