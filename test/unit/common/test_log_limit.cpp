// SPDX-License-Identifier: GPL-2.0-or-later
//
// A log that anybody can fill.
#include "common/log_limit.hpp"
#include "run.hpp"

using vmall::common::LogLimit;
using namespace std::chrono_literals;

namespace {

constexpr int most = LogLimit::lines_in_a_minute;
const LogLimit::Clock::time_point start(1h);

int admitted(LogLimit &limit, int lines, LogLimit::Clock::time_point when) {
    int count = 0;
    for (int i = 0; i < lines; ++i)
        count += limit.admit("peer is too slow", when).has_value();
    return count;
}

START_TEST(a_few_lines_are_logged_as_they_are) {
    LogLimit limit;
    for (int i = 0; i < most; ++i)
        ck_assert_text(limit.admit("peer is too slow", start).value(), "peer is too slow");
}
END_TEST

START_TEST(a_flood_is_left_out_and_counted) {
    LogLimit limit;
    ck_assert_int_eq(admitted(limit, 100000, start), most);
    ck_assert_int_eq(admitted(limit, 100000, start + 59s), 0);
    ck_assert_text(limit.admit("peer is too slow", start + 60s).value(),
                   "peer is too slow (before this, 199990 such lines were left out)");
    ck_assert_text(limit.admit("peer is too slow", start + 60s).value(), "peer is too slow");
    ck_assert_int_eq(admitted(limit, 100000, start + 61s), most - 2);
}
END_TEST

START_TEST(lines_that_come_slowly_are_all_logged) {
    LogLimit limit;
    for (int i = 0; i < 100; ++i)
        ck_assert_int_eq(admitted(limit, 1, start + i * 7s), 1);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("log_limit");
    tcase_add_test(tests, a_few_lines_are_logged_as_they_are);
    tcase_add_test(tests, a_flood_is_left_out_and_counted);
    tcase_add_test(tests, lines_that_come_slowly_are_all_logged);
    return run("log_limit", tests);
}
