// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a job has held, and what is noted of it.
#include "plugins/sched_fjt/account/books.hpp"
#include "plugins/sched_fjt/account/holding.hpp"
#include "plugins/sched_fjt/fake_glue.hpp"
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

// One short job of four processes on two cores of one node.
View folded_job() {
    JobView job;
    job.id = 7;
    job.state = JobState::running;
    job.tasks = 4;
    job.virtually_malleable = true;
    job.request.job_class = policy::JobClass::short_job;
    job.cores = {{0, {0, 1}}};
    View view;
    view.active[job.id] = job;
    return view;
}

struct Kept {
    explicit Kept(const char *vmall_conf) {
        glue.admin_comments = {{7, "ticket 17"}};
        books.keep(folded_job(), config::parse(vmall_conf, "vmall.conf"));
    }

    Ledger ledger{1000};
    Counters counters;
    Books books{ledger, counters, [] {}};
};

START_TEST(a_job_is_noted_behind_what_the_site_wrote) {
    const Kept kept("");
    ck_assert_text(glue.admin_comments.at(7), "ticket 17; vmall: class=short mpl=2 folds=0");
}
END_TEST

START_TEST(nothing_is_noted_where_the_site_says_so) {
    Kept kept("JobNote=no");
    ck_assert_text(glue.admin_comments.at(7), "ticket 17");
    glue.admin_comments.clear();
    kept.books.keep(folded_job(), config::parse("", "vmall.conf"));
    ck_assert_text(glue.admin_comments.at(7), "vmall: class=short mpl=2 folds=0");
}
END_TEST

START_TEST(what_an_operator_wrote_meanwhile_stays) {
    Kept kept("");
    View later = folded_job();
    later.active.at(7).cores = {{0, {0}}};
    glue.admin_comments[7] = "vmall: class=short mpl=2 folds=0; ticket 18";
    kept.books.keep(later, config::parse("", "vmall.conf"));
    ck_assert_text(glue.admin_comments.at(7), "vmall: class=short mpl=4 folds=0; ticket 18");
}
END_TEST

policy::Seconds time_run_by(policy::Seconds started) {
    Kept kept("");
    kept.ledger.find(7)->started = started;
    kept.books.close(2060, kept.ledger.keep_only({}));
    return kept.ledger.take_happenings().at(0).ran;
}

START_TEST(the_time_of_a_run_is_told_where_its_start_is_known) {
    ck_assert_int_eq(time_run_by(2000), 60);
    ck_assert_int_eq(time_run_by(0), 0);
}
END_TEST

// Of a job that waits to run again, Slurm has forgotten it by the time that is told.
START_TEST(a_run_ends_when_it_begins_to_complete) {
    Kept kept("");
    kept.ledger.find(7)->started = 2000;
    View completing = folded_job();
    completing.active.at(7).state = JobState::completing;
    completing.active.at(7).cores_since = 2030;
    kept.books.keep(completing, config::parse("", "vmall.conf"));
    kept.books.close(2060, kept.ledger.keep_only({}));
    const Happening end = kept.ledger.take_happenings().at(0);
    ck_assert_int_eq(end.time, 2030);
    ck_assert_int_eq(end.ran, 30);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("books");
    tcase_add_test(tests, each_stretch_counts_with_its_cores);
    tcase_add_test(tests, nothing_changes_with_the_same_cores);
    tcase_add_test(tests, a_clock_that_goes_back_takes_nothing_away);
    tcase_add_test(tests, a_job_is_noted_behind_what_the_site_wrote);
    tcase_add_test(tests, nothing_is_noted_where_the_site_says_so);
    tcase_add_test(tests, what_an_operator_wrote_meanwhile_stays);
    tcase_add_test(tests, the_time_of_a_run_is_told_where_its_start_is_known);
    tcase_add_test(tests, a_run_ends_when_it_begins_to_complete);
    return run("books", tests);
}
