// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a waiting job wants, it wants when it runs.
#include "policy/model.hpp"
#include "suites.hpp"

#include <tuple>

namespace {

using namespace vmall::policy;

// Does not compile where a member is missing.
auto all_of(const Demand &demand) {
    const auto &[id, arrival, tier, job_class, virtually_malleable, malleable, cores, memory,
                 node_memory, max_mpl, estimate, likely_work] = demand;
    return std::make_tuple(id, arrival, tier, job_class, virtually_malleable, malleable, cores,
                           memory, node_memory, max_mpl, estimate, likely_work);
}

START_TEST(a_started_job_wants_what_it_wanted) {
    WaitingJob job;
    static_cast<Demand &>(job) = {{7}, 100, 3, JobClass::long_job, true, true, 2, 512, 64,
                                  2,   60,  90};
    Start start;
    start.processes = 4;
    start.counted_on = {{{1}, 4}};
    start.unfolded = {{{1}, 8}};
    start.backfilled = true;
    start.window_end = 500;
    const RunningJob running = started_job(job, start, 200);
    ck_assert(all_of(running) == all_of(job));
    ck_assert_int_eq(running.processes, 4);
    ck_assert(running.allotment == start.counted_on && running.unfolded == start.unfolded);
    ck_assert_int_eq(running.started, 200);
    ck_assert(running.backfilled && running.window_end == 500);
}
END_TEST

} // namespace

Suite *started_job_suite() {
    Suite *suite = suite_create("started job");
    TCase *tests = tcase_create("started job");
    tcase_add_test(tests, a_started_job_wants_what_it_wanted);
    suite_add_tcase(suite, tests);
    return suite;
}
