// SPDX-License-Identifier: GPL-2.0-or-later
//
// Dumps with steps, job arrays, heterogeneous, cancelled, requeued and resized jobs, separators in
// names of jobs: a morning of a site that is made up, and what sacct 22.05.8 printed of jobs that
// ran on a throwaway cluster with slurmdbd and MariaDB (users and scripts renamed, some elements of
// arrays left out).
#include "scratch.hpp"
#include "sim/trace/read_workload.hpp"
#include "sim/trace/sacct.hpp"
#include "suites.hpp"

#include <algorithm>

namespace {

using namespace vmall;

const std::string fixture = FIXTURES "/sacct.txt";

sim::Workload read(const std::string &path, const sim::Treatment &treatment, sim::ReadLog &log) {
    return sim::read_workload(path, treatment, log);
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

// Printed by the command of doc/suits.md; job 32 was folded by sched/fjt.
START_TEST(real_one_with_the_recommended_columns_becomes_a_workload) {
    sim::ReadLog log;
    const auto workload = read(FIXTURES "/sacct-recorded.txt", {}, log);
    ck_assert_text(to_text(workload),
                   "1: at 0 short rigid 1, 60 s with 1, estimate 60, started 0, of anna\n"
                   "2: at 1 short rigid 4, 2 s with 4, estimate 300, started 1, of anna\n"
                   "3: at 1 short rigid 8, 2 s with 8, estimate 60, started 4, of anna\n"
                   "4: at 1 long rigid 2, 0 s with 2, started 1, of anna\n"
                   "8: at 2 long rigid 2, 2 s with 2, started 2, of anna\n"
                   "7: at 6 long rigid 2, 1 s with 2, estimate 86400, started 6, of anna\n"
                   "14: at 6 short rigid 1, 3 s with 1, estimate 120, started 6, of anna\n"
                   "9: at 6 short rigid 1, 3 s with 1, estimate 120, started 6, of anna\n"
                   "6: at 7 long rigid 3, 1 s with 3, started 7, of anna\n"
                   "16: at 9 short rigid 4, 6 s with 4, estimate 240, started 27, of anna\n"
                   "20: at 11 short rigid 1, 2 s with 1, estimate 600, started 11, of bert\n"
                   "21: at 11 short rigid 2, 6 s with 2, estimate 180, started 11, of anna\n"
                   "19: at 17 short rigid 2, 1 s with 2, estimate 420, started 17, of anna\n"
                   "25: at 17 short rigid 2, 4 s with 2, estimate 360, started 17, of anna\n"
                   "26: at 17 short rigid 2, 2 s with 2, estimate 60, started 17, of anna\n"
                   "12: at 18 short rigid 1, 2 s with 1, estimate 120, started 18, of anna\n"
                   "27: at 19 long rigid 2, 2 s with 2, started 19, of anna\n"
                   "28: at 21 short rigid 3, 6 s with 3, estimate 120, started 39, of anna\n"
                   "30: at 60 long rigid 4, 5 s with 4, started 60, of anna\n"
                   "31: at 61 long rigid 7, 10 s with 7, started 68, of anna\n"
                   "32: at 61 long rigid 4, 9 s with 4, started 61, of anna\n"); // (28 + 5) / 4
    ck_assert(log.left_out ==
              (std::map<std::string, std::size_t>{{"earlier runs of jobs that were requeued", 2},
                                                  {"jobs cancelled before they started", 1},
                                                  {"jobs that had not ended", 1}}));
    ck_assert_uint_eq(log.notes.size(), 0);
    ck_assert_int_eq(workload.unix_start, 1795291098);
}
END_TEST

// Columns that people like to see, with steps, in local time; job 27 gave a node back.
START_TEST(real_one_with_other_columns_becomes_a_workload) {
    sim::ReadLog log;
    const auto workload = read(FIXTURES "/sacct-recorded-steps.txt", {}, log);
    ck_assert_text(
        to_text(workload),
        "1: at 0 short rigid 1, 87 s with 1, estimate 60, started 2, asked 1024000K, of anna\n"
        "2: at 0 short rigid 4, 3 s with 4, estimate 300, started 2, asked 256000K, of anna\n"
        "3: at 0 short rigid 8, 2 s with 8, estimate 60, started 5, asked 25600K, of anna\n"
        "4: at 0 long rigid 2, 0 s with 2, started 5, asked 512000K, of anna\n"
        "5: at 1 long rigid 3, 1 s with 3, started 8, asked 341334K, of anna\n"
        "6: at 1 long rigid 2, 1 s with 2, estimate 86400, started 8, asked 512000K, of anna\n"
        "7: at 1 long rigid 2, 2 s with 2, started 5, asked 512000K, of anna\n"
        "8: at 7 short rigid 1, 2 s with 1, estimate 120, started 11, asked 1024000K, of anna\n"
        "9: at 7 short rigid 1, 2 s with 1, estimate 120, started 11, asked 1024000K, of anna\n"
        "10: at 7 short rigid 1, 2 s with 1, estimate 120, started 8, asked 1024000K, of anna\n"
        "11: at 7 short rigid 1, 2 s with 1, estimate 120, started 26, asked 1024000K, of anna\n"
        "12: at 12 short rigid 2, 2 s with 2, estimate 180, started 29, asked 512000K, of anna\n"
        "13: at 12 short rigid 3, 2 s with 3, estimate 180, started 29, asked 341334K, of anna\n"
        "14: at 12 short rigid 4, 6 s with 4, estimate 240, started 47, asked 256000K, of anna\n"
        "15: at 31 short rigid 2, 1 s with 2, estimate 420, started 38, asked 512000K, of anna\n"
        "16: at 31 short rigid 1, 3 s with 1, estimate 600, started 31, asked 1024000K, of bert\n"
        "17: at 31 short rigid 2, 5 s with 2, estimate 180, started 32, asked 512000K, of anna\n"
        "18: at 37 short rigid 4, 3 s with 4, estimate 360, started 38, asked 512000K, of anna\n"
        "19: at 38 short rigid 2, 2 s with 2, estimate 60, started 38, asked 512000K, of anna\n"
        "20: at 40 long rigid 2, 1 s with 2, started 40, asked 512000K, of anna\n"
        "21: at 42 short rigid 3, 5 s with 3, estimate 120, started 89, asked 341334K, of anna\n");
    ck_assert(log.left_out ==
              (std::map<std::string, std::size_t>{{"earlier runs of jobs that were requeued", 2},
                                                  {"jobs cancelled before they started", 1},
                                                  {"jobs that had not ended", 1}}));
    ck_assert_uint_eq(log.notes.size(), 2);
    ck_assert_contains(log.notes[0], "there is no column Eligible");
    ck_assert_contains(log.notes[1], "the times have no time zone");
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
    const std::string dump = "JobIDRaw|State|Submit|Eligible|ElapsedRaw|Timelimit|NCPUS\n"
                             "1|COMPLETED|2025-03-30T01:59:59+0100|Unknown|60|01:00|4\n";
    sim::ReadLog log;
    ck_assert_int_eq(read(scratch.gzip("D", dump), {}, log).unix_start, 1743296399);
    ck_assert_uint_eq(log.notes.size(), 0);
}
END_TEST

struct Unusable {
    const char *content;
    const char *said; // after "F:"
};

const Unusable unusable[] = {
    {"1001|a|p|1735689600|1735689600|1735693200|3600|4|COMPLETED\n",
     "1: this is no SWF, but looks like a job of sacct, whose line of column names is missing"},
    {"1001_3|alice\n", "1: this is no SWF, but looks like a job of sacct"},
    {"1001;a;1735689600;3600;4;COMPLETED\n", "1: this is no SWF, but looks like a job of sacct"},
    {"1001,a,1735689600,3600,4,CANCELLED by 7\n", "1: this is no SWF, but looks like a job of"},
    {"JobIDRaw;User;Submit;Start;End;ElapsedRaw;AllocCPUS;State\n1001;a;1;1;2;1;4;COMPLETED\n",
     "1: this is no SWF, but looks like sacct's line of column names without | between them"},
    {"JobID           JobName  Partition\n------------ ---------- ----------\n",
     "1: this is no SWF, but looks like sacct's line of column names without | between them"},
    {"JobIDRaw\x1FState\x1FSubmit\n",
     "1: this is no SWF, but looks like sacct's line of column names without | between them"},
    {"1001#a#1735689600#3600#4#COMPLETED\n", "1: this is no SWF, but looks like a job of sacct"},
    {"{\"jobs\": []}\n", "1: this is no SWF, but looks like JSON, as of sacct --json"},
    {"sacct: error: no such association\n", "1: this is no SWF, but looks like a message of sacct"},
    {"sacct: error: a line in front\nJobIDRaw|State|Submit\n1|COMPLETED|1\n",
     "2: this is no SWF, but looks like sacct's line of column names, which has to be the first"},
    {"\nJobIDRaw|State|Submit\n1|COMPLETED|1\n", "2: this is no SWF, but looks like sacct's line"},
};

START_TEST(one_without_its_first_line_or_separator_is_named_as_such) {
    const Scratch scratch;
    sim::ReadLog log;
    log.lenient = true; // skipping lines would not help
    const auto [content, said] = unusable[_i];
    const std::string error =
        refusal<sim::TraceError>([&] { read(scratch.file("F", content), {}, log); });
    ck_assert_contains(error, std::string("/F:") + said);
    ck_assert_contains(error, sim::sacct_command);
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
    tcase_add_test(tests, real_one_with_the_recommended_columns_becomes_a_workload);
    tcase_add_test(tests, real_one_with_other_columns_becomes_a_workload);
    tcase_add_test(tests, arrives_when_submitted_if_so_wanted);
    tcase_add_test(tests, times_with_a_zone_place_it_in_time);
    tcase_add_loop_test(tests, one_without_its_first_line_or_separator_is_named_as_such, 0,
                        std::size(unusable));
    tcase_add_test(tests, any_other_file_is_taken_for_swf);
    return tests;
}
