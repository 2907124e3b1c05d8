// SPDX-License-Identifier: GPL-2.0-or-later
//
// What folding costs in time.
#include "policy/cost/work.hpp"
#include "policy/time.hpp"
#include "suites.hpp"

namespace {

using namespace vmall::policy;

struct Row {
    const char *what;
    Seconds work;
    int mpl;
    Seconds time;
};

const Row rows[] = {
    {"unfolded it takes as long as it is", 60, 1, 60},
    {"two on a core: 2.2 times as long", 100, 2, 220},
    {"four on a core: 4.4 times as long", 60, 4, 264},
    {"rounded up", 1, 2, 3},
    {"none", 0, 4, 0},
    {"less than none", -5, 4, 0},
    {"without end", never, 1, never},
    {"without end, folded", never, 4, never},
    {"too long for a number", never / 2, 3, never},
};

START_TEST(takes_so_long) {
    const Row &row = rows[_i];
    ck_assert_msg(time_for_work(row.work, row.mpl) == row.time, "%s: %lld", row.what,
                  static_cast<long long>(time_for_work(row.work, row.mpl)));
}
END_TEST

START_TEST(the_rest_of_the_time_is_lost) {
    ck_assert_int_eq(lost_in_time(100, 1), 0);
    ck_assert_int_eq(lost_in_time(220, 2), 120);
    ck_assert_int_eq(work_in_time(264, 4), 60);
    ck_assert_int_eq(lost_in_time(264, 4), 204);
    ck_assert_int_eq(lost_in_time(-5, 4), 0);
    ck_assert_int_eq(work_in_time(never / 2, 4), never / 2 / 44 * 10);
}
END_TEST

START_TEST(work_is_done_in_the_time_that_it_takes) {
    for (int mpl = 1; mpl <= highest_mpl; mpl++)
        for (Seconds work = 0; work < 1000; work++) {
            ck_assert_int_eq(work_in_time(time_for_work(work, mpl), mpl), work);
            ck_assert_int_le(time_for_work(work_in_time(work, mpl), mpl), work);
        }
}
END_TEST

START_TEST(not_folded_where_hand_overs_double_its_time) {
    ck_assert(is_worth_folding(100));
    ck_assert(is_worth_folding(200));
    ck_assert(!is_worth_folding(201));
    ck_assert(!is_worth_folding(500));
}
END_TEST

START_TEST(folded_only_as_deep_as_it_ends_in_time) {
    ck_assert_int_eq(deepest_mpl(100, 440), 4);
    ck_assert_int_eq(deepest_mpl(100, 439), 3);
    ck_assert_int_eq(deepest_mpl(100, 220), 2);
    ck_assert_int_eq(deepest_mpl(100, 219), 1);
    ck_assert_int_eq(deepest_mpl(100, 99), 1); // not even so, which is not for folding to mend
    ck_assert_int_eq(deepest_mpl(100, -1), 1);
    ck_assert_int_eq(deepest_mpl(100, never), 4);
    ck_assert_int_eq(deepest_mpl(never, 1000), 1);
    ck_assert_int_eq(deepest_mpl(never, never), 4);
}
END_TEST

// Why no job has to be unfolded because time has passed.
START_TEST(what_was_deep_enough_stays_so) {
    for (int mpl = 1; mpl <= highest_mpl; mpl++) {
        const Seconds work = 1000, end = time_for_work(work, mpl);
        for (Seconds now = 0; now <= end; now++)
            ck_assert_int_ge(deepest_mpl(work - work_in_time(now, mpl) - 1, end - now), mpl);
    }
}
END_TEST

} // namespace

Suite *work_suite() {
    Suite *suite = suite_create("work");
    TCase *tests = tcase_create("work");
    tcase_add_loop_test(tests, takes_so_long, 0, std::size(rows));
    tcase_add_test(tests, the_rest_of_the_time_is_lost);
    tcase_add_test(tests, work_is_done_in_the_time_that_it_takes);
    tcase_add_test(tests, not_folded_where_hand_overs_double_its_time);
    tcase_add_test(tests, folded_only_as_deep_as_it_ends_in_time);
    tcase_add_test(tests, what_was_deep_enough_stays_so);
    suite_add_tcase(suite, tests);
    return suite;
}
