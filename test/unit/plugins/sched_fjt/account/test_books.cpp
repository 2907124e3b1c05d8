// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a job has held, and the note in its AdminComment.
#include "plugins/sched_fjt/account/admin_comment.hpp"
#include "plugins/sched_fjt/account/holding.hpp"
#include "run.hpp"

using namespace vmall;
using namespace vmall::sched;

namespace {

constexpr auto is_short = policy::JobClass::short_job;

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

struct Comment {
    const char *before, *after;
};

constexpr Comment comments[] = {
    {"", "vmall: class=short mpl=4 folds=1"},
    {"vmall: class=long mpl=1 folds=0", "vmall: class=short mpl=4 folds=1"},
    {"ticket 17", "ticket 17; vmall: class=short mpl=4 folds=1"},
    {"ticket 17; vmall: class=short mpl=2 folds=12; seen",
     "ticket 17; vmall: class=short mpl=4 folds=1; seen"},
    {"ask vmall: why?", "ask vmall: why?; vmall: class=short mpl=4 folds=1"},
    {"vmall: class=long mpl=1 folds=0 useful=7%; seen", "vmall: class=short mpl=4 folds=1; seen"},
};

START_TEST(the_note_replaces_only_itself) {
    ck_assert_text(with_note(comments[_i].before, {is_short, 4, 1, {}}), comments[_i].after);
}
END_TEST

START_TEST(a_note_has_a_share_if_it_is_known) {
    ck_assert_text(
        with_note("vmall: class=long mpl=1 folds=0 useful=7%; seen", {is_short, 4, 1, 55}),
        "vmall: class=short mpl=4 folds=1 useful=55%; seen");
}
END_TEST

START_TEST(a_share_that_changes_a_little_is_not_noted) {
    const Note written{is_short, 1, 0, 50};
    ck_assert(!says_otherwise({is_short, 1, 0, 55}, written));
    ck_assert(says_otherwise({is_short, 1, 0, 56}, written));
    ck_assert(says_otherwise({is_short, 1, 0, {}}, written));
    ck_assert(says_otherwise({is_short, 2, 0, 50}, written));
    ck_assert(says_otherwise({is_short, 1, 1, 50}, written));
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("books");
    tcase_add_test(tests, each_stretch_counts_with_its_cores);
    tcase_add_test(tests, nothing_changes_with_the_same_cores);
    tcase_add_test(tests, a_clock_that_goes_back_takes_nothing_away);
    tcase_add_test(tests, a_note_has_a_share_if_it_is_known);
    tcase_add_test(tests, a_share_that_changes_a_little_is_not_noted);
    tcase_add_loop_test(tests, the_note_replaces_only_itself, 0,
                        static_cast<int>(std::size(comments)));
    return run("books", tests);
}
