// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a job loses by sharing, and how many minutes more it is to have.
#include "run.hpp"
#include "spank_vm/agent/time_lost.hpp"

#include <iterator>

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
    lost.ask(10, 2);
    lost.granted();
    ck_assert_int_eq(lost.due(0, no_bound), 0);
    ck_assert_int_eq(lost.due(60, no_bound), 1); // before they are lost
}
END_TEST

START_TEST(no_more_than_allowed_is_due) {
    TimeLost lost = after(2200);
    ck_assert_int_eq(lost.due(0, 5 * 60), 5);
    lost.ask(10, 5);
    lost.granted();
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

struct SettledCase {
    int limit; // after a question for two minutes more than 10
    int extended;
};
constexpr SettledCase reconciled_rows[] = {
    {12, 2}, // it took effect
    {10, 0}, // it did not
    {30, 2}, // somebody has set another one, before or after that
};

START_TEST(what_became_of_a_question_is_seen_by_the_limit) {
    TimeLost lost = after(220);
    lost.ask(10, 2);
    TimeLost recalled = TimeLost::decode(lost.encode());
    ck_assert(recalled.is_asking());
    ck_assert_int_eq(recalled.due(0, no_bound), 0);
    recalled.reconcile(reconciled_rows[_i].limit);
    ck_assert(!recalled.is_asking());
    ck_assert_int_eq(recalled.extended(), reconciled_rows[_i].extended);
    recalled.reconcile(10); // nothing is asked any more
    ck_assert_int_eq(recalled.extended(), reconciled_rows[_i].extended);
}
END_TEST

START_TEST(what_it_had_is_counted_and_told) {
    TimeLost lost;
    lost.pass(1000, 1, {8, 8});
    lost.pass(1100, 2, {4, 8});
    ck_assert_text(agent::in_words(lost, "n1"), "");
    lost.pass(1320, 1, {8, 8});
    TimeLost recalled = TimeLost::decode(lost.encode());
    recalled.pass(1330, 1, {8, 8});
    ck_assert_int_eq(recalled.core_seconds(), 800 + 880 + 80);
    ck_assert_int_eq(recalled.core_seconds_given(), 8 * 330);
    const std::string words = "on n1 this job had 1760 of the 2640 core-seconds that Slurm gave "
                              "it, and has lost 120 s by sharing";
    ck_assert_text(agent::in_words(recalled, "n1"), words);
    recalled.ask(10, 2);
    ck_assert_text(agent::in_words(recalled, "n1"),
                   words + ", for which its time limit got 2 minutes more");
}
END_TEST

START_TEST(file_of_an_earlier_agent_says_nothing_of_cores) {
    const std::string earlier =
        R"({"time_lost":{"lost_ms":1000,"extended":0,"since":1000,"mpl":2}})";
    TimeLost recalled = TimeLost::decode(earlier);
    recalled.pass(1100, 2, {4, 8});
    ck_assert_int_eq(recalled.core_seconds_given(), 0);
}
END_TEST

START_TEST(it_outlives_the_agent) {
    TimeLost lost = after(220);
    lost.ask(10, 1);
    lost.granted();
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
    tcase_add_loop_test(tests, what_became_of_a_question_is_seen_by_the_limit, 0,
                        static_cast<int>(std::size(reconciled_rows)));
    tcase_add_test(tests, what_it_had_is_counted_and_told);
    tcase_add_test(tests, file_of_an_earlier_agent_says_nothing_of_cores);
    tcase_add_test(tests, it_outlives_the_agent);
    return run("time_lost", tests);
}
