// SPDX-License-Identifier: GPL-2.0-or-later
//
// A morning of a site as sacct printed it: steps, a job array, a heterogeneous job, cancelled,
// requeued and resized jobs, a separator in a job's name.
#include "scratch.hpp"
#include "sim/trace/read_workload.hpp"
#include "suites.hpp"

#include <algorithm>

namespace {

using namespace vmall;

const std::string fixture = FIXTURES "/sacct.txt";

sim::Workload read(const std::string &path, const sim::Treatment &treatment, sim::ReadLog &log) {
    return sim::read_workload(path, treatment, sim::thesis_applications(), log);
}

START_TEST(becomes_a_workload) {
    sim::Treatment treatment;
    treatment.class_by_partition["debug"] = policy::JobClass::short_job;
    treatment.malleability.share = 1;
    treatment.malleability.sizes = sim::SizeRule("halves:2");
    treatment.malleability.job_class = policy::JobClass::long_job;
    sim::ReadLog log;
    const auto workload = read(fixture, treatment, log);
    ck_assert_text(
        to_text(workload),
        "1201: at 0 long vm 12,24,48, 3600 s with 48, estimate 7200, started 5, of anna\n"
        "1202: at 60 short rigid 4, 120 s with 4, estimate 300, started 62, of bert\n"
        "1204: at 120 long vm 4,8,16, 1800 s with 16, estimate 3600, started 600, of carla\n"
        "1205: at 120 long vm 4,8,16, 3603 s with 16, estimate 3600, started 600, of carla\n"
        "1206: at 300 long vm 8,16,32, 1800 s with 32, started 1200, of dora\n"
        "1207: at 300 long vm 2,4,8, 1800 s with 8, started 1200, of dora\n"
        "1211: at 600 long vm 6,12,24, 7200 s with 24, estimate 14400, started 2400, of emil\n"
        "1212: at 900 long vm 4,8,16, 1501 s with 16, estimate 5400, started 1200, of anna\n"
        "1214: at 1260 short rigid 4, 30 s with 4, estimate 300, started 1261, of bert\n"
        "1210: at 3605 long vm 1, 60 s with 1, started 3606, of anna\n");
    ck_assert(log.left_out ==
              (std::map<std::string, std::size_t>{{"earlier runs of jobs that were requeued", 1},
                                                  {"jobs cancelled before they started", 2},
                                                  {"jobs that had not ended", 1},
                                                  {"jobs that had not started", 1}}));
    ck_assert_uint_eq(log.notes.size(), 1);
    ck_assert_contains(log.notes[0], "the times have no time zone");
    ck_assert_int_eq(workload.unix_start, 0);
}
END_TEST

START_TEST(arrives_when_submitted_if_so_wanted) {
    sim::Treatment treatment;
    treatment.arrival = sim::Arrival::submitted;
    sim::ReadLog log;
    const auto workload = read(fixture, treatment, log);
    const auto job = std::find_if(workload.jobs.begin(), workload.jobs.end(),
                                  [](const sim::Job &j) { return j.id == 1210; });
    ck_assert_int_eq(job->submit, 420 * 1000);
}
END_TEST

START_TEST(times_with_a_zone_place_it_in_time) {
    const Scratch scratch;
    const std::string dump = "JobIDRaw|State|Submit|ElapsedRaw|NCPUS\n"
                             "1|COMPLETED|2025-03-30T01:59:59+0100|60|4\n";
    sim::ReadLog log;
    ck_assert_int_eq(read(scratch.gzip("D", dump), {}, log).unix_start, 1743296399);
    ck_assert_uint_eq(log.notes.size(), 0);
}
END_TEST

START_TEST(any_other_file_is_taken_for_swf) {
    const Scratch scratch;
    sim::ReadLog log;
    ck_assert_contains(
        refusal<sim::TraceError>([&] { read(scratch.file("L", "Hello|world\n"), {}, log); }),
        "/L:1: field 1 (job number) is \"Hello|world\"");
    ck_assert_text(refusal<sim::TraceError>([&] { read("/no/file", {}, log); }),
                   "/no/file: No such file or directory");
}
END_TEST

} // namespace

TCase *sacct_file_tests() {
    TCase *tests = tcase_create("a dump of sacct");
    tcase_add_test(tests, becomes_a_workload);
    tcase_add_test(tests, arrives_when_submitted_if_so_wanted);
    tcase_add_test(tests, times_with_a_zone_place_it_in_time);
    tcase_add_test(tests, any_other_file_is_taken_for_swf);
    return tests;
}
