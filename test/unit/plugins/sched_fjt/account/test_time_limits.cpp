// SPDX-License-Identifier: GPL-2.0-or-later
//
// Limits that count work, and what Slurm is told of them.
#include "plugins/sched_fjt/account/time_limits.hpp"
#include "plugins/sched_fjt/fake_glue.hpp"
#include "run.hpp"

using namespace vmall;
using namespace vmall::sched;

namespace {

constexpr policy::Seconds noon = 1000000;

// Four processes on one core since noon, with an hour; `ran` seconds later.
View folded(policy::Seconds ran, std::int64_t limit = 60) {
    View view;
    view.now = noon + ran;
    JobView &job = view.active[7];
    job.id = 7;
    job.state = JobState::running;
    job.virtually_malleable = true;
    job.started = job.cores_since = noon;
    job.limit_in_slurm = limit;
    job.tasks = 4;
    job.allotment = {{{0}, 1}};
    return view;
}

View unfolded(policy::Seconds ran, std::int64_t limit = 60) {
    View view = folded(ran, limit);
    view.active.at(7).cores_since = view.now; // just now
    view.active.at(7).allotment = {{{0}, 4}};
    return view;
}

struct Limits {
    Ledger ledger{1};
    TimeLimits limits{ledger, noon};

    Limits() { glue = FakeGlue(); }

    // What Slurm is told of the job: seconds; 0: nothing.
    std::uint32_t told(View view) {
        glue.job_limits.clear();
        glue.step_limits.clear();
        if (limits.look(view))
            limits.tell();
        return glue.job_limits.empty() ? 0 : glue.job_limits.back()[2];
    }
};

START_TEST(a_folded_job_has_the_time_that_its_work_takes) {
    Limits limits;
    ck_assert_uint_eq(limits.told(folded(1)), 3600 * 44 / 10);
    ck_assert(glue.job_limits.back() == (FakeGlue::Arguments{7, 60, 15840}));
    ck_assert_uint_eq(limits.told(folded(5, 264)), 0);
    ck_assert_uint_eq(limits.told(folded(10000, 264)), 0);
}
END_TEST

START_TEST(what_slurmdbd_may_not_have_is_told_again) {
    Limits limits;
    glue.record_number_is_asked_for = true;
    ck_assert_uint_eq(limits.told(folded(1)), 15840);
    ck_assert_uint_eq(limits.told(folded(5, 264)), 15840);
    ck_assert(glue.job_limits.back() == (FakeGlue::Arguments{7, 264, 15840}));
    glue.record_number_is_asked_for = false;
    ck_assert_uint_eq(limits.told(folded(6, 264)), 15840);
    ck_assert_uint_eq(limits.told(folded(7, 264)), 0);
}
END_TEST

START_TEST(a_job_that_is_not_folded_is_left_alone) {
    Limits limits;
    ck_assert_uint_eq(limits.told(unfolded(1)), 0);
    ck_assert_uint_eq(limits.told(unfolded(3000)), 0);
    ck_assert_uint_eq(limits.told(unfolded(3010, 90)), 0); // an operator
    ck_assert_int_eq(limits.ledger.find(7)->limit.work(), 5400);
}
END_TEST

START_TEST(unfolded_it_has_what_is_left) {
    Limits limits;
    limits.told(folded(1));
    ck_assert_uint_eq(limits.told(unfolded(440, 264)), 0 + 440 + 3500);
    View again = folded(540, 66);
    again.active.at(7).cores_since = again.now;
    ck_assert_uint_eq(limits.told(again), 540 + 3400 * 44 / 10);
}
END_TEST

START_TEST(a_resize_that_nobody_noted_counts_from_when_it_was) {
    Limits limits;
    limits.told(unfolded(1));
    View later = folded(1044);
    later.active.at(7).cores_since = noon + 1000;
    ck_assert_uint_eq(limits.told(later), 1044 + (3600 - 1000 - 10) * 44 / 10);
}
END_TEST

START_TEST(a_limit_is_no_longer_than_slurm_can_count) {
    Limits limits;
    ck_assert_uint_eq(limits.told(folded(1, 60'000'000)), UINT32_MAX - 60);
    ck_assert_int_eq(limits.ledger.find(7)->limit.granted(), UINT32_MAX / 60);
}
END_TEST

START_TEST(while_it_is_suspended_its_clock_stands) {
    Limits limits;
    limits.told(folded(1));
    View view = folded(500, 264);
    view.active.at(7).state = JobState::suspended;
    ck_assert_uint_eq(limits.told(view), 0);
    view = unfolded(940, 264);
    view.active.at(7).suspended = 500;
    ck_assert_uint_eq(limits.told(view), 440 + 3500);
}
END_TEST

START_TEST(what_an_operator_sets_stands_and_is_worth_what_it_is_folded) {
    Limits limits;
    limits.told(folded(1));
    ck_assert_uint_eq(limits.told(folded(440, 374)), 0); // 22000 s from then on: 5000 of work
    ck_assert_int_eq(limits.ledger.find(7)->limit.asked(), 374);
    ck_assert_uint_eq(limits.told(unfolded(440, 374)), 440 + 5000);
}
END_TEST

START_TEST(lowering_a_limit_again_and_again_gains_nothing) {
    Limits limits;
    limits.told(folded(1));
    policy::Seconds work = limits.ledger.find(7)->limit.work();
    for (std::int64_t limit = 263; limit > 200; limit--) {
        limits.told(folded(264 - limit, limit));
        ck_assert_int_lt(limits.ledger.find(7)->limit.work(), work);
        work = limits.ledger.find(7)->limit.work();
    }
}
END_TEST

START_TEST(no_limit_is_extended) {
    Limits limits;
    ck_assert_uint_eq(limits.told(folded(1, 0)), 0);
    ck_assert_uint_eq(limits.told(folded(10, 60)), 10 + 3590 * 44 / 10 + 34);
    ck_assert_uint_eq(limits.told(folded(20, 0)), 0);
    ck_assert(!limits.ledger.find(7)->limit.is_known());
}
END_TEST

// slurmctld comes back with what it had saved.
struct Crash {
    const char *what;
    bool folded;
    std::int64_t limit;
    std::uint32_t told;
};

const std::vector<Crash> crashes = {
    {"all", true, 264, 0},
    {"not yet the limit", true, 60, 15840},
    {"not yet the fold", false, 60, 3600 + 46},
    {"what an operator set meanwhile", true, 374, 0},
};

START_TEST(after_a_crash_nothing_is_given_twice_or_taken) {
    const Crash &crash = crashes[_i];
    Limits before;
    before.told(folded(1));
    Limits after;
    after.ledger.restore(before.ledger.saved());
    View view = crash.folded ? folded(60, crash.limit) : unfolded(60, crash.limit);
    const std::uint32_t told = after.told(view);
    ck_assert_msg(told + 4 >= crash.told && told <= crash.told + 4, "%s: %u", crash.what, told);
}
END_TEST

START_TEST(a_fold_that_was_not_saved_is_no_change_of_an_operators) {
    Limits before;
    before.told(unfolded(1));
    Limits after;
    after.ledger.restore(before.ledger.saved());
    ck_assert_uint_eq(after.told(folded(44, 264)), 44 + (3600 - 10) * 44 / 10);
}
END_TEST

START_TEST(a_step_has_what_its_own_work_takes) {
    Limits limits;
    limits.told(folded(1));
    View view = folded(440, 264);
    view.active.at(7).step_limits[0] = {10, 40};
    limits.told(view);
    ck_assert_uint_eq(glue.step_limits.size(), 1);
    ck_assert(glue.step_limits.back() == (FakeGlue::Arguments{7, 0, 44}));
    view.active.at(7).step_limits[0].limit_in_slurm = 44;
    limits.told(view);
    ck_assert(glue.step_limits.empty());
    view = unfolded(480, 264); // 9 and 9 s of its work are done
    view.active.at(7).step_limits[0] = {44, 80};
    limits.told(view);
    ck_assert(glue.step_limits.back() == (FakeGlue::Arguments{7, 0, 12})); // 80 + 582 s
    view.active.at(7).step_limits.clear();
    limits.told(view);
    ck_assert(limits.ledger.find(7)->steps.empty());
}
END_TEST

START_TEST(a_requeued_job_gets_its_own_limit_back_for_as_long_as_it_waits) {
    Limits limits;
    limits.told(folded(1));
    View view;
    view.now = noon + 10;
    JobView waiting;
    waiting.id = 7;
    waiting.limit_in_slurm = 264;
    waiting.time_limit = 264 * 60;
    view.queue = {waiting};
    limits.ledger.keep_only(view.active);
    glue.waiting = {7};
    limits.limits.look(view);
    ck_assert(glue.taken_back.back() == (FakeGlue::Arguments{7, 264, 60}));
    ck_assert_int_eq(view.queue[0].time_limit, 3600);
    glue.waiting.clear();
    limits.limits.look(view);
    glue.taken_back.clear();
    limits.limits.look(view);
    ck_assert(glue.taken_back.empty());
}
END_TEST

START_TEST(of_a_job_that_nobody_has_noted_the_limit_stands) {
    Ledger lost{1};
    TimeLimits limits{lost, noon + 1};
    View view = folded(440, 264);
    ck_assert(!limits.look(view));
    ck_assert_int_eq(lost.find(7)->limit.granted(), 264);
    ck_assert_int_eq(lost.find(7)->limit.work(), 3600);
}
END_TEST

START_TEST(a_view_shows_work) {
    Limits limits;
    View view = folded(1);
    limits.limits.look(view);
    view = folded(10, 264);
    view.active.at(7).time_limit = 264 * 60;
    limits.limits.show_work(view);
    ck_assert_int_eq(view.active.at(7).time_limit, 3600);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("time limits");
    tcase_add_test(tests, a_folded_job_has_the_time_that_its_work_takes);
    tcase_add_test(tests, what_slurmdbd_may_not_have_is_told_again);
    tcase_add_test(tests, a_job_that_is_not_folded_is_left_alone);
    tcase_add_test(tests, unfolded_it_has_what_is_left);
    tcase_add_test(tests, a_resize_that_nobody_noted_counts_from_when_it_was);
    tcase_add_test(tests, a_limit_is_no_longer_than_slurm_can_count);
    tcase_add_test(tests, while_it_is_suspended_its_clock_stands);
    tcase_add_test(tests, what_an_operator_sets_stands_and_is_worth_what_it_is_folded);
    tcase_add_test(tests, lowering_a_limit_again_and_again_gains_nothing);
    tcase_add_test(tests, no_limit_is_extended);
    tcase_add_loop_test(tests, after_a_crash_nothing_is_given_twice_or_taken, 0,
                        static_cast<int>(crashes.size()));
    tcase_add_test(tests, a_fold_that_was_not_saved_is_no_change_of_an_operators);
    tcase_add_test(tests, a_step_has_what_its_own_work_takes);
    tcase_add_test(tests, a_requeued_job_gets_its_own_limit_back_for_as_long_as_it_waits);
    tcase_add_test(tests, of_a_job_that_nobody_has_noted_the_limit_stands);
    tcase_add_test(tests, a_view_shows_work);
    return run("time_limits", tests);
}
