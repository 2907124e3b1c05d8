// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a job has held.
#include "plugins/sched_fjt/account/holding.hpp"
#include "run.hpp"

using namespace vmall;
using namespace vmall::sched;

namespace {

START_TEST(each_stretch_counts_with_its_cores) {
    Holding holding;
    ck_assert_uint_eq(holding.core_seconds(1000), 0);
    holding.change(4, 1000);
    ck_assert_uint_eq(holding.core_seconds(1010), 40);
    holding.change(1, 1010);
    holding.change(0, 1015); // suspended
    holding.change(1, 1100);
    holding.change(4, 1101);
    ck_assert_uint_eq(holding.core_seconds(1103), 40 + 5 + 1 + 8);
}
END_TEST

START_TEST(nothing_changes_with_the_same_cores) {
    Holding holding;
    holding.change(4, 1000);
    holding.change(4, 1007);
    ck_assert_int_eq(holding.since, 1000);
}
END_TEST

START_TEST(a_clock_that_goes_back_takes_nothing_away) {
    Holding holding;
    holding.change(4, 1000);
    holding.change(1, 990);
    ck_assert_uint_eq(holding.core_seconds(995), 0);
    ck_assert_uint_eq(holding.core_seconds(1003), 3);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("books");
    tcase_add_test(tests, each_stretch_counts_with_its_cores);
    tcase_add_test(tests, nothing_changes_with_the_same_cores);
    tcase_add_test(tests, a_clock_that_goes_back_takes_nothing_away);
    return run("books", tests);
}
