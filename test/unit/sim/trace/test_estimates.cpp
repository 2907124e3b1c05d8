// SPDX-License-Identifier: GPL-2.0-or-later
//
// Other estimates than the users' own.
#include "sim/trace/estimates.hpp"
#include "suites.hpp"

#include <string>

namespace {

using namespace vmall;

struct Row {
    const char *name;
    sim::Estimates estimates;
    const char *expected; // estimate, and "/limit" if there is one, of each job
};

sim::Job job(std::uint32_t id, int submit, int start, int runtime, int estimate, const char *user) {
    sim::Job job;
    job.id = id;
    job.submit = submit * 1000;
    job.recorded_start = start * 1000;
    job.runtime = runtime * 1000;
    job.estimate = estimate;
    job.user = user;
    return job;
}

// Of anna: two that end at 110 and 60, and then one each that knows none, the second, both, both
// but asked for less, did not ask, runs longer than asked for. One of ben's, one of nobody's.
sim::Workload workload() {
    sim::Workload workload;
    workload.jobs = {
        job(1, 0, 10, 100, 500, "anna"),  job(2, 1, 20, 40, 500, "anna"),
        job(3, 59, 800, 5, 500, "anna"),  job(4, 60, 800, 5, 500, "anna"),
        job(5, 110, 800, 5, 500, "anna"), job(6, 110, 800, 5, 30, "anna"),
        job(7, 110, 800, 5, 0, "anna"),   job(8, 110, 800, 900, 500, "anna"),
        job(9, 110, 800, 5, 500, "ben"),  job(10, 900, 900, 5, 500, ""),
    };
    return workload;
}

const Row rows[] = {
    {"of users", sim::Estimates::of_users, "500 500 500 500 500 30 0 500 500 500"},
    {"exact", sim::Estimates::exact, "100 40 5 5 5 5 5 900 5 5"},
    {"predicted", sim::Estimates::predicted, "500 500 500 40/500 70/500 30/30 70 70/900 500 500"},
    {"none", sim::Estimates::none, "0 0 0 0 0 0 0 0 0 0"},
};

START_TEST(estimates_of_a_kind) {
    sim::Workload changed = workload();
    sim::set_estimates(changed, rows[_i].estimates);
    std::string text;
    for (const sim::Job &one : changed.jobs) {
        text += (text.empty() ? "" : " ") + std::to_string(one.estimate);
        if (one.time_limit > 0)
            text += '/' + std::to_string(one.time_limit);
    }
    ck_assert_msg(text == rows[_i].expected, "%s: %s", rows[_i].name, text.c_str());
}
END_TEST

START_TEST(every_tenth_user_says_a_minute_and_keeps_his_limit) {
    sim::Workload changed;
    for (std::uint32_t user = 1; user <= 20; user++)
        for (std::uint32_t which = 0; which < 2; which++)
            changed.jobs.push_back(job(2 * user + which, 0, 0, which == 0 ? 100 : 900, 500,
                                       ("user" + std::to_string(user)).c_str()));
    const auto who = sim::users_who_say_too_little(changed);
    ck_assert_uint_eq(who.size(), 2);
    sim::set_estimates(changed, sim::Estimates::too_short);
    for (const sim::Job &one : changed.jobs) {
        const bool lies = who.count(one.user) != 0;
        ck_assert_int_eq(one.estimate, lies ? 60 : 500);
        ck_assert_int_eq(one.time_limit, !lies ? 0 : one.runtime > 500'000 ? 900 : 500);
    }
}
END_TEST

} // namespace

TCase *estimate_tests() {
    TCase *tests = tcase_create("estimates");
    tcase_add_test(tests, every_tenth_user_says_a_minute_and_keeps_his_limit);
    tcase_add_loop_test(tests, estimates_of_a_kind, 0, std::size(rows));
    return tests;
}
