// SPDX-License-Identifier: GPL-2.0-or-later
//
// When a modelled run is over: by hand, after very many folds, and as the simulator has it.
#include "experiments/evaluation/modelled_run.hpp"
#include "run.hpp"
#include "sim/engine/simulate.hpp"

#include <cmath>

using namespace vmall;
using evaluation::ModelledRun;
using evaluation::Nanoseconds;

namespace {

constexpr Nanoseconds second = 1'000'000'000;

const sim::Application &application(const char *name) {
    return sim::find_application(sim::thesis_applications(), name);
}

ModelledRun lu_on_32(const char *cost, double clock) {
    return {application("LU.A"), 32, sim::parse_folding_cost(cost), clock, 0};
}

START_TEST(runs_for_as_long_as_was_measured) {
    ck_assert_int_eq(lu_on_32("1", 1).end(), 33 * second);
}
END_TEST

START_TEST(ends_sooner_by_the_clock) {
    ck_assert_int_eq(lu_on_32("1", 10).end(), 33 * second / 10);
}
END_TEST

// Folded to 8 cores, LU.A takes the 168 s of 8 processes, and by its cost a tenth more.
START_TEST(goes_on_at_the_speed_of_its_mpl) {
    ModelledRun run = lu_on_32("1.05,1.07,1.1", 1);
    run.fold(4, 11 * second); // a third is done
    const double folded = 168 * 1.1;
    ck_assert_int_eq(run.end(), 11 * second + std::llround(folded * 2 / 3 * second));
    run.fold(1, 11 * second + std::llround(folded / 3 * second)); // and another third
    ck_assert_int_le(std::llabs(run.end() - std::llround((22 + folded / 3) * second)), 1);
}
END_TEST

START_TEST(does_not_drift_however_often_it_is_folded) {
    ModelledRun run = lu_on_32("1.05,1.07,1.1", 1);
    constexpr int folds = 1'000'000;
    constexpr Nanoseconds step = 7001; // half of them folded, together less than the run
    Nanoseconds now = 0;
    for (int i = 0; i < folds; i++) {
        run.fold(i % 2 == 0 ? 4 : 1, now);
        now += step;
    }
    run.fold(1, now);
    const double done = folds / 2 * step * (1 + 33 / (168 * 1.1));
    ck_assert_int_le(std::llabs(run.end() - now - std::llround(33.0 * second - done)), 1000);
}
END_TEST

START_TEST(is_over_if_that_was_noticed_late) {
    ModelledRun run = lu_on_32("1", 1);
    run.fold(4, 40 * second);
    ck_assert_int_le(run.end(), 40 * second);
}
END_TEST

START_TEST(stands_still_while_it_is_suspended) {
    ModelledRun run = lu_on_32("1.05,1.07,1.1", 1);
    run.suspend(11 * second); // a third is done
    ck_assert(run.is_suspended());
    ck_assert_int_eq(run.end(), ModelledRun::never);
    run.resume(31 * second);
    ck_assert(!run.is_suspended());
    ck_assert_int_eq(run.end(), 53 * second);
    run.suspend(32 * second);
    run.resume(34 * second);
    ck_assert_int_eq(run.end(), 55 * second);
}
END_TEST

START_TEST(folded_while_it_is_suspended_it_is_slower_afterwards) {
    ModelledRun run = lu_on_32("1.05,1.07,1.1", 1);
    run.suspend(11 * second);
    run.fold(4, 20 * second);
    ck_assert_int_eq(run.end(), ModelledRun::never);
    run.resume(31 * second);
    ck_assert_int_eq(run.end(), 31 * second + std::llround(168 * 1.1 * 2 / 3 * second));
}
END_TEST

// The simulator folds a job: a second one asks for half of the machine.
START_TEST(ends_when_the_simulator_says) {
    sim::Workload workload;
    sim::Job job;
    job.id = 1;
    job.job_class = policy::JobClass::short_job;
    job.virtually_malleable = true;
    job.sizes = {32};
    job.runtime = 33'000;
    job.runtime_processes = 32;
    job.speedup = application("LU.A").speedup;
    workload.jobs.push_back(job);
    job.id = 2;
    job.submit = 5'000;
    job.sizes = {16};
    workload.jobs.push_back(job);
    sim::Options options;
    options.policy.sizing = "folding";
    options.policy.queue_discipline = "fcfs";
    options.policy.max_mpl = 4;
    options.folding_cost = sim::parse_folding_cost("1.04,1.11");
    options.record_allotments = true;
    sim::Progress progress;
    const auto outcome = sim::simulate(workload, {{32}}, options, progress);

    const auto &folded = outcome.jobs[0];
    ck_assert_uint_ge(folded.allotments.size(), 2);
    ModelledRun run(application("LU.A"), 32, options.folding_cost, 1, 0);
    for (const auto &allotment : folded.allotments)
        run.fold(allotment.mpl, allotment.begin * 1'000'000);
    ck_assert_int_le(std::llabs(run.end() - folded.ended * 1'000'000), 1'000'000);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("modelled run");
    tcase_add_test(tests, runs_for_as_long_as_was_measured);
    tcase_add_test(tests, ends_sooner_by_the_clock);
    tcase_add_test(tests, goes_on_at_the_speed_of_its_mpl);
    tcase_add_test(tests, does_not_drift_however_often_it_is_folded);
    tcase_add_test(tests, is_over_if_that_was_noticed_late);
    tcase_add_test(tests, stands_still_while_it_is_suspended);
    tcase_add_test(tests, folded_while_it_is_suspended_it_is_slower_afterwards);
    tcase_add_test(tests, ends_when_the_simulator_says);
    return run("modelled run", tests);
}
