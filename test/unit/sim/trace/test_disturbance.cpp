// SPDX-License-Identifier: GPL-2.0-or-later
//
// A workload that is all but the same.
#include "sim/trace/disturbance.hpp"
#include "suites.hpp"

#include <string>

namespace {

using namespace vmall;

struct Row {
    const char *name;
    sim::Milliseconds runtime;
    int estimate;
    int limit;
    const char *expected; // if it is the first, second and third: run time, estimate, limit
};

const Row rows[] = {
    {"in between", 5500, 60, 90, "4500 60 90, 5500 60 90, 6500 60 90"},
    {"as long as allowed", 60000, 60, 60, "59000 60 60, 60000 60 60, 61000 61 61"},
    {"nothing said", 60000, 0, 0, "59000 0 0, 60000 0 0, 61000 0 0"},
    {"a second", 1000, 60, 0, "1000 60 0, 1000 60 0, 2000 60 0"},
    {"cancelled at once", 0, 60, 0, "0 60 0, 0 60 0, 0 60 0"},
};

START_TEST(run_times_are_a_second_off) {
    const Row &row = rows[_i];
    sim::Workload workload;
    sim::Job job;
    job.runtime = row.runtime;
    job.estimate = row.estimate;
    job.time_limit = row.limit;
    workload.jobs.assign(3, job);
    sim::disturb_run_times(workload);
    std::string text;
    for (const sim::Job &one : workload.jobs)
        text += (text.empty() ? "" : ", ") + std::to_string(one.runtime) + ' ' +
                std::to_string(one.estimate) + ' ' + std::to_string(one.time_limit);
    ck_assert_msg(text == row.expected, "%s: %s", row.name, text.c_str());
}
END_TEST

} // namespace

TCase *disturbance_tests() {
    TCase *tests = tcase_create("disturbance");
    tcase_add_loop_test(tests, run_times_are_a_second_off, 0, std::size(rows));
    return tests;
}
