// SPDX-License-Identifier: GPL-2.0-or-later
//
// Generated workloads: the load that was asked for, the same jobs for the same seed.
#include "scratch.hpp"
#include "sim/trace/generated_swf.hpp"
#include "sim/trace/swf.hpp"
#include "suites.hpp"

#include <cmath>
#include <set>
#include <sstream>
#include <stdexcept>

namespace {

using namespace vmall;

sim::GeneratorSpec specification(double long_load = 0.6, double short_load = 0.2) {
    std::vector<sim::Application> applications;
    for (const char *name : {"BT.A", "CG.B", "LU.W", "Sweep3D"}) // ICS'05 table 1
        applications.push_back(sim::find_application(sim::thesis_applications(), name));
    sim::GeneratorSpec spec;
    spec.applications = sim::equal_shares(applications, long_load, short_load);
    return spec;
}

std::string as_swf(const sim::GeneratorSpec &spec, std::uint64_t seed) {
    std::ostringstream out;
    sim::write_generated_swf(out, spec, seed);
    return out.str();
}

// Jobs that follow from the definition of mt19937_64 and of the exponential variate; whatever
// changes them changes every published result.
START_TEST(a_seed_gives_these_jobs_on_every_machine) {
    sim::GeneratorSpec spec = specification();
    spec.jobs = 6;
    spec.estimates = sim::EstimateFactors{1, 5};
    spec.virtually_malleable = 0.5;
    ck_assert_text(as_swf(spec, 1), read_file(FIXTURES "/generated.swf"));
}
END_TEST

START_TEST(exponential_variates_have_the_right_distribution) {
    sim::Random random(7);
    constexpr int count = 200000;
    double sum = 0;
    int above_1 = 0, above_3 = 0, below_tenth = 0;
    for (int i = 0; i < count; ++i) {
        const double x = random.exponential();
        sum += x;
        above_1 += x > 1;
        above_3 += x > 3;
        below_tenth += x < 0.1;
    }
    // Five standard deviations of each.
    const auto near = [](double got, double probability) {
        return std::abs(got / count - probability) <
               5 * std::sqrt(probability * (1 - probability) / count);
    };
    ck_assert_double_eq_tol(sum / count, 1, 5 / std::sqrt(count));
    ck_assert(near(above_1, std::exp(-1)));
    ck_assert(near(above_3, std::exp(-3)));
    ck_assert(near(below_tenth, 1 - std::exp(-0.1)));
}
END_TEST

START_TEST(the_load_and_each_applications_part_are_as_asked) {
    constexpr int seeds = 200;
    const sim::GeneratorSpec spec = specification();
    std::map<std::string, double> work;
    for (int seed = 1; seed <= seeds; ++seed)
        for (const sim::Job &job : sim::generate(spec, seed).jobs)
            work[job.application] +=
                sim::find_application(sim::thesis_applications(), job.application).seconds(1);
    const double machine = 60.0 * 900 * seeds;
    // Five standard deviations of the sum of a Poisson number of jobs of one length.
    const auto check = [&](const char *name, double load) {
        const double seconds = sim::find_application(sim::thesis_applications(), name).seconds(1);
        const double deviation = std::sqrt(load * seconds / machine);
        ck_assert_msg(std::abs(work[name] / machine - load) < 5 * deviation, "%s: %f", name,
                      work[name] / machine);
    };
    check("BT.A", 0.3);
    check("CG.B", 0.3);
    check("LU.W", 0.1);
    check("Sweep3D", 0.1);
}
END_TEST

START_TEST(parallel_work_counts_what_jobs_hold) {
    sim::GeneratorSpec spec = specification();
    spec.work = sim::Work::parallel;
    spec.duration = 0;
    spec.jobs = 20000;
    double work = 0;
    const auto workload = sim::generate(spec, 3);
    for (const sim::Job &job : workload.jobs)
        work += static_cast<double>(job.runtime) / 1000 * job.runtime_processes;
    const double seconds = static_cast<double>(workload.jobs.back().submit) / 1000;
    ck_assert_double_eq_tol(work / seconds / 60, 0.8, 0.03);
}
END_TEST

START_TEST(bursts_do_not_change_the_load) {
    sim::GeneratorSpec spec = specification();
    spec.duration = 0;
    spec.jobs = 30000;
    const auto last = [&](int burst) {
        spec.burst = burst;
        return static_cast<double>(sim::generate(spec, 5).jobs.back().submit);
    };
    const double single = last(1);
    for (const int burst : {3, 6, 9})
        ck_assert_msg(std::abs(last(burst) / single - 1) < 5 * std::sqrt((1 + burst) / 30000.0),
                      "%d: %f", burst, last(burst) / single);
}
END_TEST

START_TEST(jobs_of_a_burst_arrive_together) {
    sim::GeneratorSpec spec = specification();
    spec.burst = 6;
    spec.jobs = 60;
    spec.duration = 0;
    const auto workload = sim::generate(spec, 2);
    std::map<sim::Milliseconds, int> arrivals;
    for (const sim::Job &job : workload.jobs)
        ++arrivals[job.submit];
    for (const auto &[time, jobs] : arrivals)
        ck_assert_int_eq(jobs % 6, 0);
    ck_assert_uint_gt(arrivals.size(), 5);
}
END_TEST

START_TEST(workloads_of_one_seed_are_stretched_by_the_load) {
    const auto at = [](double factor) {
        sim::GeneratorSpec spec = specification(0.6 * factor, 0.2 * factor);
        spec.duration = 0;
        spec.jobs = 500;
        return sim::generate(spec, 4).jobs;
    };
    const auto low = at(0.5), high = at(1);
    for (std::size_t i = 0; i < low.size(); ++i) {
        ck_assert_str_eq(low[i].application.c_str(), high[i].application.c_str());
        ck_assert_int_le(std::abs(low[i].submit - 2 * high[i].submit), 2000); // whole seconds
    }
}
END_TEST

START_TEST(the_duration_limits_arrivals) {
    sim::GeneratorSpec spec = specification();
    for (int seed = 1; seed <= 50; ++seed) {
        const auto jobs = sim::generate(spec, seed).jobs;
        ck_assert_uint_gt(jobs.size(), 50);
        ck_assert_int_le(jobs.back().submit, 900 * 1000);
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            ck_assert_uint_eq(jobs[i].id, i + 1);
            ck_assert(i == 0 || jobs[i - 1].submit <= jobs[i].submit);
        }
    }
}
END_TEST

struct EfficiencyRow {
    const char *application, *sizes;
    int processors;
    double least;
    int asked; // in the thesis' table 3.2
};
const EfficiencyRow efficiency_rows[] = {
    {"Sweep3D", "any", 60, 0, 60},  {"Sweep3D", "any", 60, 0.9, 9},
    {"LU.W", "pow2", 60, 1, 8},     {"LU.W", "pow2", 60, 0.8, 16},
    {"LU.W", "pow2", 60, 0, 32},    {"EP.B", "pow2", 60, 0.9, 16},
    {"BT.A", "square", 60, 1, 36},  {"CG.B", "pow2", 60, 1, 32},
    {"CG.B", "pow2", 20, 1, 16},    {"LU.W", "8,16", 60, 0.8, 16},
    {"LU.W", "16,32", 60, 0.9, 16}, {"LU.W", "rigid", 60, 0.9, 60},
    {"FT.A", "pow2", 60, 1, 1},     {"EP.B", "halves:2", 64, 0.9, 16},
};

START_TEST(jobs_ask_for_no_more_processes_than_run_efficiently) {
    const EfficiencyRow &row = efficiency_rows[_i];
    sim::GeneratorSpec spec = specification();
    sim::Application application =
        sim::find_application(sim::thesis_applications(), row.application);
    application.sizes = sim::SizeRule(row.sizes);
    spec.applications = {{application, 0.8}};
    spec.processors = row.processors;
    spec.least_efficiency = row.least;
    const auto workload = sim::generate(spec, 1);
    for (const sim::Job &job : workload.jobs) {
        ck_assert_int_eq(job.runtime_processes, row.asked);
        ck_assert(job.sizes == application.sizes.up_to(row.asked));
        ck_assert_int_eq(job.runtime, std::llround(application.seconds(row.asked) * 1000));
        ck_assert_int_eq(job.estimate, static_cast<int>(std::ceil(job.runtime / 1000.0)));
    }
    const Scratch scratch;
    sim::ReadLog log;
    ck_assert_text(to_text(sim::read_swf(scratch.file("L", as_swf(spec, 1)), {}, log)),
                   to_text(workload));
}
END_TEST

START_TEST(what_users_know_of_efficiency_changes_no_arrival) {
    sim::GeneratorSpec spec = specification();
    const auto unknown = sim::generate(spec, 2).jobs;
    spec.least_efficiency = 0.9;
    const auto known = sim::generate(spec, 2).jobs;
    ck_assert_uint_eq(known.size(), unknown.size());
    for (std::size_t i = 0; i < known.size(); ++i) {
        ck_assert_int_eq(known[i].submit, unknown[i].submit);
        ck_assert_text(known[i].application, unknown[i].application);
    }
}
END_TEST

struct EstimateRow {
    std::optional<sim::EstimateFactors> factors;
    double lowest, highest; // of estimate over run time
};
const EstimateRow estimate_rows[] = {
    {std::nullopt, 0, 0}, {{{1, 1}}, 1, 1},     {{{3, 3}}, 3, 3},
    {{{1, 3}}, 1, 3},     {{{0.3, 1}}, 0.3, 1},
};

START_TEST(estimates_follow_the_model) {
    const EstimateRow &row = estimate_rows[_i];
    sim::GeneratorSpec spec = specification();
    spec.estimates = row.factors;
    spec.jobs = 2000;
    spec.duration = 0;
    double sum = 0;
    for (const sim::Job &job : sim::generate(spec, 1).jobs) {
        const double runtime = static_cast<double>(job.runtime) / 1000;
        ck_assert_double_ge(static_cast<double>(job.estimate), row.lowest * runtime);
        ck_assert_double_lt(static_cast<double>(job.estimate), row.highest * runtime + 1);
        sum += static_cast<double>(job.estimate) / runtime;
    }
    // Rounding up to whole seconds adds at most 0.5 on average to a fifth of the run time.
    ck_assert_double_eq_tol(sum / 2000, (row.lowest + row.highest) / 2, 0.15);
}
END_TEST

START_TEST(the_file_reads_back_as_the_same_jobs) {
    for (const double malleable : {0.0, 0.5, 1.0}) {
        sim::GeneratorSpec spec = specification();
        spec.virtually_malleable = malleable;
        spec.estimates = sim::EstimateFactors{0.5, 4};
        const auto generated = sim::generate(spec, 11);
        const Scratch scratch;
        sim::ReadLog log;
        const auto read = sim::read_swf(scratch.file("L", as_swf(spec, 11)), {}, log);
        ck_assert_text(to_text(read), to_text(generated));
        ck_assert_int_eq(read.processors, generated.processors);
        for (std::size_t i = 0; i < read.jobs.size(); ++i)
            for (int processors = 1; processors <= 60; ++processors)
                ck_assert(read.jobs[i].speedup->at(processors) ==
                          generated.jobs[i].speedup->at(processors));
    }
}
END_TEST

struct Refusal {
    const char *says;
    void (*spoil)(sim::GeneratorSpec &);
};
const Refusal refusals[] = {
    {"at least one processor", [](auto &s) { s.processors = 0; }},
    {"no application to generate", [](auto &s) { s.applications.clear(); }},
    {"neither the jobs nor the duration is limited", [](auto &s) { s.duration = 0; }},
    {"no negative limits", [](auto &s) { s.jobs = -1; }},
    {"a burst has at least one job", [](auto &s) { s.burst = 0; }},
    {"factors of the estimates", [](auto &s) { s.estimates->lowest = 0; }},
    {"factors of the estimates", [](auto &s) { s.estimates->highest = std::nan(""); }},
    {"lowest factor of the estimates is above the highest",
     [](auto &s) { s.estimates->lowest = 2; }},
    {"least efficiency", [](auto &s) { s.least_efficiency = 1.5; }},
    {"least efficiency", [](auto &s) { s.least_efficiency = std::nan(""); }},
    {"virtually malleable part", [](auto &s) { s.virtually_malleable = 1.5; }},
    {"BT.A: its load is 0", [](auto &s) { s.applications[0].load = 0; }},
    {"too many jobs", [](auto &s) { s.jobs = 1LL << 33; }},
    {"BT.A runs on no machine with so few processors: 3",
     [](auto &s) {
         s.processors = 3;
         s.applications[0].application.sizes = sim::SizeRule("4,16");
     }},
};

START_TEST(contradictions_are_refused) {
    sim::GeneratorSpec spec = specification();
    refusals[_i].spoil(spec);
    ck_assert_contains(refusal<std::invalid_argument>([&] { sim::Generator generator(spec, 1); }),
                       refusals[_i].says);
}
END_TEST

START_TEST(a_class_with_load_needs_an_application) {
    const auto &bt = sim::find_application(sim::thesis_applications(), "BT.A");
    ck_assert_text(refusal<std::invalid_argument>([&] { sim::equal_shares({bt}, 0.5, 0.1); }),
                   "there is no short application for its load");
}
END_TEST

} // namespace

TCase *generator_tests() {
    TCase *tests = tcase_create("generator");
    tcase_add_test(tests, a_seed_gives_these_jobs_on_every_machine);
    tcase_add_test(tests, exponential_variates_have_the_right_distribution);
    tcase_add_test(tests, the_load_and_each_applications_part_are_as_asked);
    tcase_add_test(tests, parallel_work_counts_what_jobs_hold);
    tcase_add_test(tests, bursts_do_not_change_the_load);
    tcase_add_test(tests, jobs_of_a_burst_arrive_together);
    tcase_add_test(tests, workloads_of_one_seed_are_stretched_by_the_load);
    tcase_add_test(tests, the_duration_limits_arrivals);
    tcase_add_loop_test(tests, jobs_ask_for_no_more_processes_than_run_efficiently, 0,
                        std::size(efficiency_rows));
    tcase_add_test(tests, what_users_know_of_efficiency_changes_no_arrival);
    tcase_add_loop_test(tests, estimates_follow_the_model, 0, std::size(estimate_rows));
    tcase_add_test(tests, the_file_reads_back_as_the_same_jobs);
    tcase_add_loop_test(tests, contradictions_are_refused, 0, std::size(refusals));
    tcase_add_test(tests, a_class_with_load_needs_an_application);
    return tests;
}
