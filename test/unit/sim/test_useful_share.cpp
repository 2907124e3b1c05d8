// SPDX-License-Identifier: GPL-2.0-or-later
//
// What part of its time a job makes use of, what folding costs it then, and what policies see of
// it.
#include "sim/model/useful_share.hpp"

#include "run.hpp"
#include "sim/engine/simulate.hpp"

#include <iterator>

namespace {

using namespace vmall;

constexpr double unknown = 0;

// Amdahl's law: 8 processes are 4 times as fast as one.
const sim::SpeedupPointer half_of_eight = sim::amdahl_speedup(1.0 / 7);

struct Row {
    const char *what;
    sim::SpeedupPointer speedup;
    int recorded; // percent
    double share, by_efficiency;
};

const Row rows[] = {
    {"nothing is known", nullptr, 0, unknown, unknown},
    {"recorded", nullptr, 40, 0.4, 0.4},
    {"a curve", half_of_eight, 0, unknown, 0.5},
    {"both", half_of_eight, 40, 0.4, 0.5},
    {"linear", sim::amdahl_speedup(0), 0, unknown, 1},
    {"superlinear", sim::table_speedup({{1, 100}, {8, 10}}), 0, unknown, 1},
    {"slower with more", sim::table_speedup({{1, 100}, {8, 2000}}), 0, unknown, 0.01},
};

sim::Job job_of_eight(const sim::SpeedupPointer &speedup) {
    sim::Job job;
    job.id = 1;
    job.virtually_malleable = true;
    job.sizes = {8};
    job.runtime = 10000;
    job.runtime_processes = 8;
    job.speedup = speedup;
    return job;
}

sim::Job by_efficiency(const sim::Job &job) {
    sim::Workload workload{"test", {job}, 0};
    sim::go_by_efficiency(workload);
    return workload.jobs.front();
}

START_TEST(the_share_is_recorded_or_the_efficiency) {
    const Row &row = rows[_i];
    sim::Job job = job_of_eight(row.speedup);
    if (row.recorded > 0)
        job.useful_percent = row.recorded;
    const double share = useful_share(job, 8).value_or(unknown);
    ck_assert_msg(std::abs(share - row.share) < 1e-12, "%s: %g", row.what, share);
    const double efficiency = useful_share(by_efficiency(job), 8).value_or(unknown);
    ck_assert_msg(std::abs(efficiency - row.by_efficiency) < 1e-12, "%s: %g", row.what, efficiency);
}
END_TEST

START_TEST(folding_fills_what_is_not_of_use) {
    const sim::Job recorded = job_of_eight(half_of_eight);
    const sim::Job job = by_efficiency(recorded);
    const sim::FoldingCost cost = sim::parse_folding_cost("1.1");
    ck_assert_double_eq_tol(work_rate(recorded, {8, 4, 2}, {}), 0.7, 1e-12); // as on 4 processors
    ck_assert_double_eq_tol(work_rate(job, {8, 4, 2}, {}), 1, 1e-12);
    ck_assert_double_eq_tol(work_rate(job, {8, 4, 2}, cost), 1 / 1.1, 1e-12);
    ck_assert_double_eq_tol(work_rate(job, {8, 2, 4}, {}), 0.5, 1e-12);
}
END_TEST

START_TEST(a_folded_job_measures_how_well_it_uses_what_it_has) {
    const sim::Measuring measuring;
    const sim::Job job = by_efficiency(job_of_eight(half_of_eight));
    ck_assert(!measures(measuring, job_of_eight(half_of_eight)));
    ck_assert(measures(measuring, job));
    sim::Random random(1);
    const auto unfolded = measure(measuring, job, {8, 8, 1}, {}, random);
    ck_assert_int_eq(unfolded.processors, 8);
    ck_assert_double_eq_tol(unfolded.speedup, 4, 1e-12);
    const auto folded = measure(measuring, job, {8, 4, 2}, {}, random);
    ck_assert_int_eq(folded.processors, 4);
    ck_assert_double_eq_tol(folded.speedup, 4, 1e-12);
}
END_TEST

sim::Outcome alone_under_equip_plus_plus(const sim::Job &job) {
    static sim::Workload workload;
    workload = {"test", {job}, 0};
    sim::Options options;
    options.policy.queue_discipline = "equip++";
    options.policy.max_mpl = 4;
    options.record_allotments = true;
    sim::Progress progress;
    return sim::simulate(workload, {{8}}, options, progress);
}

START_TEST(a_job_below_the_target_gives_up_what_it_does_not_use) {
    const auto recorded = alone_under_equip_plus_plus(job_of_eight(half_of_eight)).jobs.front();
    ck_assert_uint_eq(recorded.allotments.size(), 1);
    const auto job = alone_under_equip_plus_plus(by_efficiency(job_of_eight(half_of_eight)));
    ck_assert_uint_gt(job.jobs.front().allotments.size(), 1);
    ck_assert_int_eq(job.jobs.front().allotments[1].cores, 4);
    ck_assert_int_eq(job.jobs.front().ended, recorded.ended);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("useful share");
    tcase_add_loop_test(tests, the_share_is_recorded_or_the_efficiency, 0,
                        static_cast<int>(std::size(rows)));
    tcase_add_test(tests, folding_fills_what_is_not_of_use);
    tcase_add_test(tests, a_folded_job_measures_how_well_it_uses_what_it_has);
    tcase_add_test(tests, a_job_below_the_target_gives_up_what_it_does_not_use);
    return run("sim useful share", tests);
}
