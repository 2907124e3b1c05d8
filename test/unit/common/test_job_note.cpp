// SPDX-License-Identifier: GPL-2.0-or-later
//
// Our note among what a site writes into AdminComment.
#include "common/job_note.hpp"

#include "run.hpp"

#include <iterator>

using namespace vmall::common;

namespace {

constexpr auto is_short = JobClass::short_job;

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

struct Text {
    const char *comment;
    bool has_note;
    int mpl, useful; // useful 0: not known
};

constexpr Text texts[] = {
    {"", false, 0, 0},
    {"vmall: class=short mpl=4 folds=1", true, 4, 0},
    {"vmall: class=long mpl=1 folds=0 useful=7%", true, 1, 7},
    {"ticket 17; vmall: class=long mpl=1 folds=0 useful=55%; seen", true, 1, 55},
    {"vmall: class=long mpl=1 folds=0 useful=0%", true, 1, 0},
    {"vmall: class=long mpl=1 folds=0 useful=555%", true, 1, 0},
    {"vmall: class=long mpl=1 folds=0 useful=", true, 1, 0},
    {"vmall: class=long mpl=1", false, 0, 0},
    {"vmall: class=wide mpl=1 folds=0", false, 0, 0},
    {"vmall: class=long mpl=0 folds=0 useful=7%", false, 0, 0},
    {"vmall: class=long mpl=-2 folds=0 useful=7%", false, 0, 0},
    {"vmall: why?", false, 0, 0},
};

START_TEST(the_note_is_found) {
    const auto &[comment, has_note, mpl, useful] = texts[_i];
    const auto note = note_in(comment);
    ck_assert_msg(note.has_value() == has_note, "%s", comment);
    if (!note)
        return;
    ck_assert_int_eq(note->mpl, mpl);
    ck_assert_int_eq(note->useful_percent.value_or(0), useful);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("job note");
    tcase_add_loop_test(tests, the_note_replaces_only_itself, 0,
                        static_cast<int>(std::size(comments)));
    tcase_add_test(tests, a_note_has_a_share_if_it_is_known);
    tcase_add_test(tests, a_share_that_changes_a_little_is_not_noted);
    tcase_add_loop_test(tests, the_note_is_found, 0, static_cast<int>(std::size(texts)));
    return run("job note", tests);
}
