// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who runs longer than he says is believed less.
#include "policy/overruns.hpp"
#include "suites.hpp"

#include <iterator>
#include <vector>

namespace {

using namespace vmall::policy;

constexpr UserId user = 7, somebody_else = 8;
constexpr Seconds now = 10'000'000, day = 24 * 3600;

Overrun ran(std::uint32_t job, Seconds work, Seconds estimate, Seconds ago = 0) {
    return {user, {job}, estimate, work, now - ago};
}

std::vector<Overrun> in_turn(std::uint32_t jobs, Seconds work, Seconds estimate) {
    std::vector<Overrun> overruns;
    for (std::uint32_t job = 1; job <= jobs; job++)
        overruns.push_back(ran(job, work, estimate));
    return overruns;
}

std::vector<Overrun> operator+(std::vector<Overrun> overruns, const std::vector<Overrun> &more) {
    overruns.insert(overruns.end(), more.begin(), more.end());
    return overruns;
}

struct Row {
    const char *what;
    std::vector<Overrun> overruns;
    Seconds estimate, likely;
};

const Row rows[] = {
    {"nothing is known", {}, 60, 60},
    {"who ran as long as he said", {ran(1, 60, 60), ran(2, 30, 60)}, 60, 60},
    {"twice as long may come from folding", {ran(1, 121, 60), ran(2, 119, 60)}, 30, 30},
    {"as many times longer", {ran(1, 600, 60)}, 30, 300},
    {"the worst counts", {ran(1, 600, 60), ran(2, 70, 60), ran(3, 900, 300)}, 30, 300},
    {"no longer than the longest", {ran(1, 600, 60)}, 120, 600},
    {"never less than he says", {ran(1, 600, 60)}, 3600, 3600},
    {"the longest of another job", {ran(1, 600, 60), ran(2, 3600, 1700)}, 120, 1200},
    {"it goes on", {ran(1, 600, 60), ran(1, 1200, 60)}, 30, 600},
    {"by less than a tenth", {ran(1, 600, 60), ran(1, 650, 60)}, 30, 300},
    {"for a month", {ran(1, 600, 60, 30 * day)}, 30, 300},
    {"for no more than a month", {ran(1, 600, 60, 30 * day + 1)}, 30, 30},
    {"for the last 31 jobs", in_turn(1, 600, 60) + in_turn(31, 150, 60), 30, 300},
    {"for no more than 31 jobs", std::vector{ran(99, 600, 60)} + in_turn(31, 150, 60), 30, 75},
    {"without an estimate", {ran(1, 600, 60)}, 0, 0},
    {"who gave none, ran past none", {ran(1, 600, 0), ran(2, 600, -5)}, 30, 30},
    {"no estimate at all", {ran(1, 600, 60)}, INT64_MAX, INT64_MAX},
    {"for as long as there are numbers", {ran(1, INT64_MAX, 1)}, 300'000'000, 315'360'000},
};

START_TEST(likely_work_is_that_of_the_worst_overrun) {
    const Row &row = rows[_i];
    Overruns overruns;
    for (const Overrun &one : row.overruns)
        overruns.note(one);
    Overruns noted_again;
    for (const Overrun &one : overruns.noted())
        noted_again.note(one);
    for (const Overruns &known : {overruns, noted_again}) {
        const Seconds likely = known.likely_work(user, row.estimate, now);
        ck_assert_msg(likely == row.likely, "%s: %lld", row.what, static_cast<long long>(likely));
        ck_assert(known.likely_work(somebody_else, row.estimate, now) == row.estimate);
    }
}
END_TEST

START_TEST(who_is_believed_again_takes_no_room) {
    Overruns overruns;
    overruns.note({somebody_else, {1}, 60, 600, now - 30 * day - 1});
    overruns.note(ran(2, 600, 60));
    overruns.forget(now);
    ck_assert_uint_eq(overruns.noted().size(), 1);
}
END_TEST

} // namespace

Suite *overruns_suite() {
    Suite *suite = suite_create("overruns");
    TCase *cases = tcase_create("rows");
    tcase_add_loop_test(cases, likely_work_is_that_of_the_worst_overrun, 0,
                        static_cast<int>(std::size(rows)));
    tcase_add_test(cases, who_is_believed_again_takes_no_room);
    suite_add_tcase(suite, cases);
    return suite;
}
