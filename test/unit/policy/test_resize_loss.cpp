// SPDX-License-Identifier: GPL-2.0-or-later
//
// How often a job may be folded for what resizes cost it.
#include "policy/cost/resize_loss.hpp"
#include "policy/time.hpp"
#include "suites.hpp"

#include <limits>

namespace {

using namespace vmall::policy;

constexpr std::int64_t second = 1000, minute = 60 * second;

// Until it may not be folded any more.
int folds_at(ResizeLoss &loss, std::int64_t ran, int percent) {
    int folds = 0;
    while (folds < 10000 && loss.until_next_fold(ran, percent) == 0) {
        loss.note_fold(ran, percent);
        folds++;
    }
    return folds;
}

START_TEST(many_folds_in_a_row_and_then_as_many_as_it_earns) {
    ResizeLoss loss;
    ck_assert_int_eq(folds_at(loss, 0, 5), 60);
    ck_assert_int_eq(loss.until_next_fold(0, 5), 10 * second);
    ck_assert_int_eq(loss.until_next_fold(3 * second, 5), 7 * second);
    ck_assert_int_eq(folds_at(loss, 9 * second, 5), 0);
    ck_assert_int_eq(folds_at(loss, 10 * second, 5), 1);
    ck_assert_int_eq(folds_at(loss, 60 * second, 5), 5);
}
END_TEST

START_TEST(no_more_is_kept_than_what_ten_minutes_bring) {
    ResizeLoss loss;
    ck_assert_int_eq(folds_at(loss, 1000 * minute, 5), 60);
    ck_assert_int_eq(folds_at(loss, 1005 * minute, 5), 30);
    ck_assert_int_eq(folds_at(loss, 1015 * minute, 5), 60);
}
END_TEST

struct Row {
    int percent, at_once, in_ten_minutes;
};

const Row rows[] = {{0, 0, 0}, {1, 12, 12}, {2, 24, 24}, {5, 60, 60}, {50, 600, 600}};

START_TEST(the_share_bounds_both) {
    const Row &row = rows[_i];
    ResizeLoss loss;
    ck_assert_int_eq(folds_at(loss, 0, row.percent), row.at_once);
    int folds = 0;
    for (std::int64_t ran = 0; ran <= 10 * minute; ran += second / 10)
        folds += folds_at(loss, ran, row.percent);
    ck_assert_int_eq(folds, row.in_ten_minutes);
}
END_TEST

START_TEST(all_of_its_time_is_no_limit) {
    ResizeLoss loss;
    ck_assert_int_eq(folds_at(loss, 0, no_resize_limit), 10000);
}
END_TEST

START_TEST(nothing_is_never_enough) {
    ck_assert_int_eq(ResizeLoss{}.until_next_fold(100 * minute, 0), never);
}
END_TEST

START_TEST(the_share_can_change) {
    ResizeLoss loss;
    folds_at(loss, 0, 5);
    ck_assert_int_eq(loss.until_next_fold(0, 10), 0);
    ck_assert_int_gt(loss.until_next_fold(0, 1), 24 * minute);
    ck_assert_int_eq(loss.until_next_fold(0, 0), never);
}
END_TEST

START_TEST(a_clock_that_was_set_back_spares_nobody) {
    ResizeLoss loss;
    folds_at(loss, 60 * minute, 5);
    ck_assert_int_eq(loss.until_next_fold(2 * minute, 5), 0);
    loss.note_fold(2 * minute, 5);
    ck_assert_int_eq(loss.since, 2 * minute);
    ck_assert_int_eq(folds_at(loss, 2 * minute, 5), 59);
}
END_TEST

START_TEST(whatever_was_saved_it_folds_again_before_long) {
    constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
    constexpr auto highest = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t owed : {lowest, highest, highest / 1000})
        for (const std::int64_t since : {lowest, highest, std::int64_t{0}}) {
            ResizeLoss loss{owed, since};
            ck_assert_int_le(loss.until_next_fold(minute, 5), 200 * minute);
            loss.note_fold(minute, 5);
            ck_assert_int_eq(loss.since, minute);
        }
}
END_TEST

} // namespace

Suite *resize_loss_suite() {
    Suite *suite = suite_create("resize loss");
    TCase *tests = tcase_create("resize loss");
    tcase_add_test(tests, many_folds_in_a_row_and_then_as_many_as_it_earns);
    tcase_add_test(tests, no_more_is_kept_than_what_ten_minutes_bring);
    tcase_add_loop_test(tests, the_share_bounds_both, 0, std::size(rows));
    tcase_add_test(tests, all_of_its_time_is_no_limit);
    tcase_add_test(tests, nothing_is_never_enough);
    tcase_add_test(tests, the_share_can_change);
    tcase_add_test(tests, a_clock_that_was_set_back_spares_nobody);
    tcase_add_test(tests, whatever_was_saved_it_folds_again_before_long);
    suite_add_tcase(suite, tests);
    return suite;
}
