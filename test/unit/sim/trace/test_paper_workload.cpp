// SPDX-License-Identifier: GPL-2.0-or-later
//
// The papers' workloads by name: the mixes of their tables, on machines of any size.
#include "scratch.hpp"
#include "sim/trace/generated_swf.hpp"
#include "sim/trace/paper_workload.hpp"
#include "sim/trace/swf.hpp"
#include "suites.hpp"

#include <map>
#include <sstream>
#include <stdexcept>

namespace {

using namespace vmall;

struct MixRow {
    const char *name;
    double long_load, short_load;
    policy::Seconds duration;
    const char *applications;
};
const MixRow mixes[] = {
    {"w1", 0.4, 0.1, 600, "BT.A CG.B BT.W Sweep3D"},
    {"w6", 0.3, 0.4, 600, "BT.A CG.B BT.W Sweep3D"},
    {"high-40", 0.2, 0.2, 900, "BT.A CG.B BT.W Sweep3D"},
    {"high-100", 0.8, 0.2, 900, "BT.A CG.B BT.W Sweep3D"},
    {"low-80", 0.6, 0.2, 900, "EP.C EP.B Sweep3D"},
};

START_TEST(loads_are_those_of_the_tables) {
    const MixRow &row = mixes[_i];
    const auto spec = sim::specification(sim::find_paper_workload(row.name), 60);
    std::string names;
    double long_load = 0, short_load = 0;
    for (const auto &[application, load] : spec.applications) {
        names += (names.empty() ? "" : " ") + application.name;
        (application.job_class == policy::JobClass::long_job ? long_load : short_load) += load;
    }
    ck_assert_text(names, row.applications);
    ck_assert_double_eq_tol(long_load, row.long_load, 1e-9);
    ck_assert_double_eq_tol(short_load, row.short_load, 1e-9);
    ck_assert_int_eq(spec.duration, row.duration);
}
END_TEST

struct BurstRow {
    const char *name;
    int processors;
    std::size_t jobs;
    int long_jobs;
};
const BurstRow bursts[] = {
    {"burst-3", 60, 3, 1},    {"burst-6", 60, 6, 2}, {"burst-9", 60, 9, 3},
    {"burst-9", 512, 77, 25}, {"burst-3", 64, 3, 1}, {"burst-3", 9, 1, 0},
};

START_TEST(bursts_are_as_large_as_the_machine) {
    const BurstRow &row = bursts[_i];
    const auto &burst = sim::find_paper_workload(row.name);
    const auto workload = sim::generate(burst, sim::specification(burst, row.processors), 5);
    ck_assert_uint_eq(workload.jobs.size(), row.jobs);
    int long_jobs = 0;
    for (const sim::Job &job : workload.jobs) {
        long_jobs += job.job_class == policy::JobClass::long_job ? 1 : 0;
        ck_assert_int_eq(job.submit, 0);
    }
    ck_assert_int_eq(long_jobs, row.long_jobs);
}
END_TEST

START_TEST(all_are_generated_and_read_back_as_they_are) {
    const Scratch scratch;
    for (const sim::PaperWorkload &paper : sim::paper_workloads()) {
        const auto spec = sim::specification(paper, 60);
        const auto workload = sim::generate(paper, spec, 1);
        std::ostringstream out;
        sim::write_generated_swf(out, spec, workload);
        sim::ReadLog log;
        const auto read = sim::read_swf(scratch.file("W", out.str()), {}, log);
        ck_assert_uint_eq(read.jobs.size(), workload.jobs.size());
        for (std::size_t i = 0; i < read.jobs.size(); ++i) {
            ck_assert(read.jobs[i].sizes == workload.jobs[i].sizes);
            ck_assert_text(read.jobs[i].application, workload.jobs[i].application);
            if (workload.jobs[i].job_class == policy::JobClass::long_job)
                ck_assert_int_ge(read.jobs[i].sizes.smallest(), sim::smallest_long_job);
        }
    }
}
END_TEST

START_TEST(users_may_know_what_runs_efficiently) {
    for (const char *name : {"high-80", "burst-9"}) {
        const auto &paper = sim::find_paper_workload(name);
        auto spec = sim::specification(paper, 60);
        spec.least_efficiency = 0.9;
        std::map<std::string, int> asked;
        for (const sim::Job &job : sim::generate(paper, spec, 1).jobs)
            asked[job.application] = job.runtime_processes;
        ck_assert_int_eq(asked.at("Sweep3D"), 9);
        ck_assert_int_eq(asked.at("BT.A"), 49);
    }
}
END_TEST

START_TEST(unknown_names_are_refused) {
    ck_assert_contains(refusal<std::invalid_argument>([] { sim::find_paper_workload("burst-4"); }),
                       "there is no workload \"burst-4\"; there are w1, w2");
}
END_TEST

START_TEST(a_burst_needs_applications_of_its_classes) {
    const auto &burst = sim::find_paper_workload("burst-6");
    auto spec = sim::specification(burst, 60);
    spec.applications.resize(2); // BT.A and CG.B
    ck_assert_text(refusal<std::invalid_argument>([&] { sim::generate(burst, spec, 1); }),
                   "there is no application for some jobs of the burst");
}
END_TEST

START_TEST(sizes_begin_with_the_smallest) {
    const auto &bt = sim::find_application(sim::paper_applications(), "BT.A");
    ck_assert(sim::with_smallest_size(bt, 8).sizes.up_to(60) == (common::Sizes{9, 16, 25, 36, 49}));
    ck_assert(sim::with_smallest_size(bt, 1).sizes.up_to(60) == bt.sizes.up_to(60));
    ck_assert(sim::with_smallest_size(bt, 50).sizes.up_to(60) == common::Sizes{49});
}
END_TEST

START_TEST(what_no_table_lists_follows_from_what_is_listed) {
    const auto &all = sim::paper_applications();
    const auto &bt_w = sim::find_application(all, "BT.W");
    ck_assert_double_eq(bt_w.seconds(16), sim::find_application(all, "LU.W").seconds(16));
    ck_assert(bt_w.sizes.up_to(60) == (common::Sizes{1, 4, 9, 16, 25, 36, 49}));
    const auto &ep_b = sim::find_application(all, "EP.B"),
               &ep_c = sim::find_application(all, "EP.C");
    ck_assert_double_eq(ep_c.seconds(8), 4 * ep_b.seconds(8));
    ck_assert_double_eq(ep_c.seconds(12), 4 * ep_b.seconds(12));
    ck_assert(ep_c.job_class == policy::JobClass::long_job);
    ck_assert(ep_b.job_class == policy::JobClass::short_job);
}
END_TEST

} // namespace

TCase *paper_workload_tests() {
    TCase *tests = tcase_create("the papers' workloads");
    tcase_add_loop_test(tests, loads_are_those_of_the_tables, 0, std::size(mixes));
    tcase_add_loop_test(tests, bursts_are_as_large_as_the_machine, 0, std::size(bursts));
    tcase_add_test(tests, all_are_generated_and_read_back_as_they_are);
    tcase_add_test(tests, users_may_know_what_runs_efficiently);
    tcase_add_test(tests, unknown_names_are_refused);
    tcase_add_test(tests, a_burst_needs_applications_of_its_classes);
    tcase_add_test(tests, sizes_begin_with_the_smallest);
    tcase_add_test(tests, what_no_table_lists_follows_from_what_is_listed);
    return tests;
}
