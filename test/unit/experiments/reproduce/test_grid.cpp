// SPDX-License-Identifier: GPL-2.0-or-later
//
// Means over the jobs of a workload that can be followed by hand, and the workloads of Utrera's
// evaluations.
#include "experiments/reproduce/grid_claims.hpp"
#include "suites.hpp"

#include "run.hpp"

#include <stdexcept>

namespace {

using namespace vmall;
using namespace vmall::sim;
using namespace vmall::sim::reproduce;

Job job(std::uint32_t id, policy::JobClass job_class, int processes, Milliseconds runtime) {
    Job job;
    job.id = id;
    job.job_class = job_class;
    job.sizes = {processes};
    job.runtime = runtime;
    job.runtime_processes = processes;
    job.estimate = runtime / 1000;
    return job;
}

// On 4 processors, first come first served: the long job runs from 0 to 10 s, then the short ones
// from 10 to 14 s, side by side.
Workload three_jobs() {
    Workload workload;
    workload.processors = 4;
    workload.jobs = {job(1, policy::JobClass::long_job, 3, 10000),
                     job(2, policy::JobClass::short_job, 2, 4000),
                     job(3, policy::JobClass::short_job, 2, 4000)};
    return workload;
}

const Grid &grid_of_three() {
    static Progress progress;
    static const Grid grid(Context{{1, 2}, 1, 1, progress},
                           {{"three", 3, [](std::uint64_t) { return three_jobs(); }}},
                           {contenders::fifo()}, 2);
    return grid;
}

const struct ExpectedMean {
    const char *name;
    const Quantity &quantity;
    double value;
} expected[] = {
    {"long response", quantities::long_response, 10},
    {"long wait", quantities::long_wait, 0},
    {"long execution", quantities::long_execution, 10},
    {"long processors", quantities::long_processors, 3},
    {"short response", quantities::short_response, 14},
    {"short wait", quantities::short_wait, 10},
    {"short execution", quantities::short_execution, 4},
    {"short processors", quantities::short_processors, 2},
    {"deviation of equal waits", quantities::short_wait_deviation, 0},
    {"slowdown against itself", quantities::short_slowdown, 1},
};

START_TEST(means_are_those_of_the_jobs) {
    const auto found = values(grid_of_three(), "three", "FIFO", expected[_i].quantity);
    ck_assert_uint_eq(found.size(), 2);
    ck_assert_msg(found[0] == expected[_i].value && found[1] == expected[_i].value, "%s is %g",
                  expected[_i].name, found[0]);
}
END_TEST

START_TEST(a_grid_refuses_names_it_does_not_have) {
    ck_assert_text(refusal<std::out_of_range>([] { grid_of_three().at("four", "FIFO"); }),
                   "the grid has no four");
    ck_assert_text(refusal<std::out_of_range>([] { grid_of_three().at("three", "LIFO"); }),
                   "the grid has no LIFO");
}
END_TEST

START_TEST(all_threads_find_the_same) {
    const Assumptions assumptions;
    const auto grid = [&](int threads) {
        Progress progress;
        return Grid(
            Context{{1, 2, 3}, threads, 1, progress},
            {{"burst", 6, [&](std::uint64_t seed) { return utrera_burst(6, assumptions, seed); }}},
            {contenders::fifo(), contenders::fjt4(assumptions)}, 3);
    };
    ck_assert(values(grid(1), "burst", "FJT (4)", quantities::long_response) ==
              values(grid(3), "burst", "FJT (4)", quantities::long_response));
}
END_TEST

START_TEST(long_jobs_accept_no_fewer_than_assumed) {
    Assumptions assumptions;
    assumptions.smallest_long = 16;
    const auto workload = utrera_workload(find_paper_workload("high-100"), assumptions, 1);
    ck_assert_uint_gt(workload.jobs.size(), 0);
    for (const Job &one : workload.jobs) {
        const bool is_long = one.job_class == policy::JobClass::long_job;
        ck_assert_int_eq(one.sizes.smallest(), is_long ? 16 : 1);
        ck_assert_int_le(one.sizes.largest(), 60);
    }
}
END_TEST

START_TEST(a_burst_has_a_third_of_long_jobs_at_once) {
    const auto workload = utrera_burst(9, Assumptions{}, 5);
    int long_jobs = 0;
    for (const Job &one : workload.jobs) {
        long_jobs += one.job_class == policy::JobClass::long_job ? 1 : 0;
        ck_assert_int_eq(one.submit, 0);
    }
    ck_assert_uint_eq(workload.jobs.size(), 9);
    ck_assert_int_eq(long_jobs, 3);
}
END_TEST

START_TEST(ep_accepts_what_is_assumed) {
    Assumptions assumptions;
    ck_assert_int_eq(utrera_application("EP.B", assumptions).sizes.up_to(60).count(), 6);
    assumptions.ep_runs_on_any_number = true;
    ck_assert_int_eq(utrera_application("EP.B", assumptions).sizes.up_to(60).count(), 60);
    ck_assert_int_eq(utrera_application("EP.C", assumptions).sizes.up_to(60).count(), 53);
}
END_TEST

} // namespace

Suite *grid_suite() {
    Suite *suite = suite_create("grid");
    TCase *tests = tcase_create("grid");
    tcase_add_loop_test(tests, means_are_those_of_the_jobs, 0,
                        static_cast<int>(std::size(expected)));
    tcase_add_test(tests, a_grid_refuses_names_it_does_not_have);
    tcase_add_test(tests, all_threads_find_the_same);
    tcase_add_test(tests, long_jobs_accept_no_fewer_than_assumed);
    tcase_add_test(tests, a_burst_has_a_third_of_long_jobs_at_once);
    tcase_add_test(tests, ep_accepts_what_is_assumed);
    suite_add_tcase(suite, tests);
    return suite;
}
