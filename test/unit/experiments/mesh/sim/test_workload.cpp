// SPDX-License-Identifier: GPL-2.0-or-later
//
// Workloads of two classes, and one job at a time on the whole machine.
#include "experiments/mesh/sim/mixed_workload.hpp"
#include "experiments/mesh/sim/uniprogramming.hpp"
#include "near.hpp"
#include "suites.hpp"

namespace {

using namespace vmall::sim;
using namespace vmall::sim::mesh;

Workload workload(std::vector<std::pair<Milliseconds, Milliseconds>> submit_and_runtime) {
    Workload result;
    for (const auto &[submit, runtime] : submit_and_runtime) {
        Job job;
        job.id = static_cast<std::uint32_t>(result.jobs.size()) + 1;
        job.submit = submit;
        job.runtime = runtime;
        result.jobs.push_back(job);
    }
    return result;
}

} // namespace

START_TEST(first_come_first_served_by_hand) {
    const auto jobs = workload({{0, 100}, {10, 50}, {500, 20}});
    ck_assert((fcfs_responses(jobs) == std::vector<double>{100, 140, 20}));
}
END_TEST

// From 10 to 110 two jobs share: the second is done at 110, the first, with 40 left, at 150. The
// last two come at the same time.
START_TEST(processor_sharing_by_hand) {
    const auto jobs = workload({{0, 100}, {10, 50}, {500, 20}, {500, 40}});
    ck_assert((processor_sharing_responses(jobs) == std::vector<double>{150, 100, 40, 60}));
}
END_TEST

START_TEST(a_mixed_workload_has_the_means_it_was_asked_for) {
    Mix mix;
    mix.short_share = 0.75;
    mix.jobs = 40000;
    const auto jobs = mixed_workload(mix, 256, 5).jobs;
    double count[2] = {};
    double seconds[2] = {};
    for (const Job &job : jobs) {
        const bool is_long = job.job_class == vmall::policy::JobClass::long_job;
        count[is_long]++;
        seconds[is_long] += static_cast<double>(job.runtime) / 1000;
        ck_assert_int_ge(job.runtime, 102);
        ck_assert_int_eq(job.runtime % 102, 0);
        ck_assert_int_eq(job.sizes.smallest(), 256);
    }
    ck_assert_near(count[0] / mix.jobs, 0.75, 0.01);
    ck_assert_near(seconds[0] / count[0], 30, 0.6);
    ck_assert_near(seconds[1] / count[1], 900, 30);
    const double load = (seconds[0] + seconds[1]) * 1000 / static_cast<double>(jobs.back().submit);
    ck_assert_near(load, 0.5, 0.02);
}
END_TEST

START_TEST(the_same_seed_draws_the_same_jobs_for_every_load) {
    Mix mix;
    const auto jobs = mixed_workload(mix, 256, 5).jobs;
    const auto again = mixed_workload(mix, 256, 5).jobs;
    const auto other = mixed_workload(mix, 256, 6).jobs;
    mix.load = 0.25;
    const auto lighter = mixed_workload(mix, 256, 5).jobs;
    bool differs = false;
    for (std::size_t i = 0; i < jobs.size(); i++) {
        ck_assert(jobs[i].submit == again[i].submit && jobs[i].runtime == again[i].runtime);
        ck_assert_int_eq(jobs[i].runtime, lighter[i].runtime);
        ck_assert_int_le(std::abs(2 * jobs[i].submit - lighter[i].submit), 2);
        differs = differs || jobs[i].runtime != other[i].runtime;
    }
    ck_assert(differs);
}
END_TEST

TCase *workload_tests() {
    TCase *tests = tcase_create("workloads");
    tcase_add_test(tests, first_come_first_served_by_hand);
    tcase_add_test(tests, processor_sharing_by_hand);
    tcase_add_test(tests, a_mixed_workload_has_the_means_it_was_asked_for);
    tcase_add_test(tests, the_same_seed_draws_the_same_jobs_for_every_load);
    return tests;
}
