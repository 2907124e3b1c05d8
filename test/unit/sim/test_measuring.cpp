// SPDX-License-Identifier: GPL-2.0-or-later
//
// Malleable jobs that measure their speed-up, and policies that go by it.
#include "run.hpp"

#include "sim/engine/simulate.hpp"

#include <cmath>

namespace {

using namespace vmall;
using policy::MeasuredSpeedup;

// With p processors ten seconds / S(p), Amdahl with a serial tenth: on 4 S is 4 / 1.3.
sim::Job openmp(std::uint32_t id, int threads, double serial_fraction = 0.1) {
    sim::Job job;
    job.id = id;
    job.virtually_malleable = job.malleable = true;
    job.sizes = {threads};
    job.runtime = 10000;
    job.runtime_processes = 1;
    job.speedup = sim::amdahl_speedup(serial_fraction);
    return job;
}

constexpr sim::Shape on_four{4, 4, 1};

sim::Options options(policy::QueueDiscipline discipline, double period = 0.01) {
    sim::Options options;
    options.policy.queue_discipline = discipline;
    options.measuring.period = period;
    options.record_allotments = true;
    return options;
}

sim::Outcome run_jobs(const std::vector<sim::Job> &jobs, int cores, const sim::Options &options) {
    static sim::Workload workload;
    workload = {"test", jobs, 0};
    sim::Progress progress;
    return sim::simulate(workload, {{cores}}, options, progress);
}

START_TEST(measures_its_true_speedup_without_noise) {
    sim::Random random(1);
    const auto sample = sim::measure({0.01, 0.5, 0, 1}, openmp(1, 8), on_four, {}, random);
    ck_assert_int_eq(sample.processors, 4);
    ck_assert_double_eq_tol(sample.speedup, 4 / 1.3, 1e-12);
}
END_TEST

START_TEST(noise_stays_within_its_bounds) {
    const sim::Measuring noisy{0.01, 0, 0.1, 1};
    sim::Random random(1);
    double lowest = 10;
    double highest = 0;
    for (int count = 0; count < 1000; count++) {
        const double factor =
            sim::measure(noisy, openmp(1, 8), on_four, {}, random).speedup / (4 / 1.3);
        lowest = std::min(lowest, factor);
        highest = std::max(highest, factor);
    }
    ck_assert(lowest >= 0.9 && lowest < 0.91);
    ck_assert(highest <= 1.1 && highest > 1.09);
}
END_TEST

START_TEST(the_same_seed_gives_the_same_outcome) {
    const auto end = [](std::uint64_t seed) {
        auto settings = options("equal-efficiency");
        settings.measuring.noise = 0.1;
        settings.measuring.seed = seed;
        return run_jobs({openmp(1, 8), openmp(2, 8)}, 8, settings).jobs[1].ended;
    };
    ck_assert_int_eq(end(1), end(1));
    ck_assert_int_ne(end(1), end(2));
}
END_TEST

START_TEST(the_last_sample_on_as_many_processors_takes_the_place_of_the_one_before) {
    std::vector<MeasuredSpeedup> measured = {{4, 3.0}, {8, 5.0}};
    sim::remember(measured, {4, 3.5});
    ck_assert_uint_eq(measured.size(), 2);
    ck_assert_int_eq(measured[0].processors, 8);
    ck_assert_int_eq(measured[1].processors, 4);
    ck_assert_double_eq(measured[1].speedup, 3.5);
}
END_TEST

// Efficiency 1 / (0.1 p + 0.9) reaches 0.7 up to 5 processors: from 8 down one at a time, each
// after a hundredth of the work, which takes 100 ms / S(p).
START_TEST(equip_plus_plus_finds_the_target) {
    const auto outcome = run_jobs({openmp(1, 8)}, 8, options("equip++"));
    const auto &allotments = outcome.jobs[0].allotments;
    ck_assert_uint_eq(allotments.size(), 4);
    double time = 0;
    double work = 0;
    for (int i = 0; i < 4; i++) {
        const int cores = 8 - i;
        ck_assert_int_eq(allotments[i].cores, cores);
        ck_assert(std::abs(static_cast<double>(allotments[i].begin) - time) <= i);
        time += 100 * (0.1 + 0.9 / cores);
        work += 100;
    }
    time += (10000 - work) * (0.1 + 0.9 / 5);
    ck_assert(std::abs(static_cast<double>(outcome.jobs[0].ended) - time) <= 5);
}
END_TEST

START_TEST(the_level_rises_once_all_reach_the_target) {
    auto settings = options("equip++");
    settings.policy.sharing.default_level = 1;
    const auto dynamic = run_jobs({openmp(1, 8), openmp(2, 8)}, 8, settings);
    ck_assert(dynamic.jobs[1].started > 0);
    ck_assert(dynamic.jobs[1].started < dynamic.jobs[0].ended);

    settings.policy.queue_discipline = "equipartition";
    const auto fixed = run_jobs({openmp(1, 8), openmp(2, 8)}, 8, settings);
    ck_assert_int_eq(fixed.jobs[1].started, fixed.jobs[0].ended);
}
END_TEST

START_TEST(who_does_not_measure_is_never_asked_to_shrink) {
    const auto outcome = run_jobs({openmp(1, 8)}, 8, options("equip++", 0));
    ck_assert_uint_eq(outcome.jobs[0].allotments.size(), 1);
}
END_TEST

START_TEST(measuring_has_its_overhead_where_the_policy_goes_by_it) {
    const auto end = [](policy::QueueDiscipline discipline, double overhead) {
        auto settings = options(discipline);
        settings.measuring.overhead = overhead;
        return static_cast<double>(run_jobs({openmp(1, 8, 0)}, 8, settings).jobs[0].ended);
    };
    ck_assert_double_eq(end("equip++", 0), 1250);
    ck_assert_double_eq_tol(end("equip++", 0.1), 1375, 1);
    ck_assert_double_eq(end("equipartition", 0.1), 1250);
}
END_TEST

// The second arrives in the middle: both have 4 of 8, the first first loses and then wins 4.
START_TEST(a_resized_job_gets_nowhere_for_a_while) {
    auto late = openmp(2, 4);
    late.submit = 1000;
    auto settings = options("equipartition", 0);
    const auto quick = run_jobs({openmp(1, 8), late}, 8, settings);
    settings.resize_cost = 50;
    const auto slow = run_jobs({openmp(1, 8), late}, 8, settings);
    ck_assert_int_eq(slow.jobs[1].ended, quick.jobs[1].ended);
    ck_assert_int_eq(slow.jobs[0].folds, 1);
    ck_assert_int_eq(slow.jobs[0].unfolds, quick.jobs[0].unfolds);
    const auto cost = slow.jobs[0].ended - quick.jobs[0].ended;
    const auto expected = 50 * (1 + slow.jobs[0].unfolds);
    ck_assert_msg(std::abs(cost - expected) <= 2, "%ld", static_cast<long>(cost));
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("measuring");
    tcase_add_test(tests, measures_its_true_speedup_without_noise);
    tcase_add_test(tests, noise_stays_within_its_bounds);
    tcase_add_test(tests, the_same_seed_gives_the_same_outcome);
    tcase_add_test(tests, the_last_sample_on_as_many_processors_takes_the_place_of_the_one_before);
    tcase_add_test(tests, equip_plus_plus_finds_the_target);
    tcase_add_test(tests, the_level_rises_once_all_reach_the_target);
    tcase_add_test(tests, who_does_not_measure_is_never_asked_to_shrink);
    tcase_add_test(tests, measuring_has_its_overhead_where_the_policy_goes_by_it);
    tcase_add_test(tests, a_resized_job_gets_nowhere_for_a_while);
    return run("measuring", tests);
}
