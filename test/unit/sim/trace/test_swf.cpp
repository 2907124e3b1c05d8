// SPDX-License-Identifier: GPL-2.0-or-later
//
// The Standard Workload Format: what is refused and how it is said, what becomes of the records.
#include "scratch.hpp"
#include "sim/trace/swf.hpp"
#include "suites.hpp"

#include <algorithm>
#include <sstream>

namespace {

using namespace vmall;

const std::string good = "7 60 5 90 4 -1 -1 4 120 -1 1 12 1 -1 -1 -1 -1 -1\n";

struct Row {
    const char *name;
    std::string log;
    std::string expected; // jobs, or the error
};

std::string jobs_or_error(const std::string &log, const sim::Treatment &treatment = {}) {
    const Scratch scratch;
    const std::string path = scratch.file("L", log);
    sim::ReadLog messages;
    try {
        return to_text(sim::read_swf(path, treatment, messages));
    } catch (const sim::TraceError &error) {
        return scratch.without_folder(error.what());
    }
}

const Row rows[] = {
    {"a job", good, "7: at 60 short rigid 4, 90 s with 4, estimate 120, started 65, of 12\n"},
    {"tabs, spaces, comments, empty lines and CR LF",
     "; Version: 2.2\r\n\r\n \t\r\n  ; x\r\n\t7\t60 5 90 4 -1 -1 4 120 -1 1 12 1 -1 -1 -1 -1 -1  "
     "\r\n",
     "7: at 60 short rigid 4, 90 s with 4, estimate 120, started 65, of 12\n"},
    {"fractions of seconds", "1 0.5 0.25 9.001 4 3.7 1.5 4 10.2 2.5 1 -1 -1 -1 -1 -1 -1 -1\n",
     "1: at 0.5 short rigid 4, 9.001 s with 4, estimate 11, started 0.75, asked 2K, used 1K\n"},
    {"whole numbers, 0 and -1 as programs write them that calculate with fractions",
     "1.0 0.0 -0.0 9.0 4.00 -1.0 -1.0 4.0 -1.0 -1.0 1.0 -1.0 -1 -1 -1 -1 -1 -1.0\n",
     "1: at 0 long rigid 4, 9 s with 4, started 0\n"},
    {"numbers with exponents or a point behind", // as NumPy writes them
     "1.0e+00 5.0E-1 -0.000000e+00 9. 4.000000000000000000e+00 -1.0e+00 -1. 4 1e1 -1 1 -1 -1 -1 -1 "
     "-1 "
     "-1 -1\n",
     "1: at 0.5 short rigid 4, 9 s with 4, estimate 10, started 0.5\n"},
    {"a byte-order mark in front", "\xEF\xBB\xBF" + good,
     "7: at 60 short rigid 4, 90 s with 4, estimate 120, started 65, of 12\n"},
    {"no end of the last line", "1 0 -1 9 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1",
     "1: at 0 long rigid 4, 9 s with 4\n"},
    {"sorted by submission, then number",
     "3 5 -1 9 1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n"
     "2 5 -1 9 1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n"
     "9 4 -1 9 1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n",
     "9: at 4 long rigid 1, 9 s with 1\n2: at 5 long rigid 1, 9 s with 1\n"
     "3: at 5 long rigid 1, 9 s with 1\n"},
    {"processors that were not allocated are those requested",
     "1 0 -1 9 -1 -1 -1 8 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n", "1: at 0 long rigid 8, 9 s with 8\n"},
    {"a run time of 0 is less than half a second",
     "1 0 -1 0 2 -1 -1 2 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n", "1: at 0 long rigid 2, 0 s with 2\n"},
    {"short by the requested time", "1 0 -1 9 2 -1 -1 2 600 -1 1 -1 -1 -1 -1 -1 -1 -1\n",
     "1: at 0 short rigid 2, 9 s with 2, estimate 600\n"},
    {"long by the requested time", "1 0 -1 9 2 -1 -1 2 601 -1 1 -1 -1 -1 -1 -1 -1 -1\n",
     "1: at 0 long rigid 2, 9 s with 2, estimate 601\n"},
    {"class by the queue's name",
     "; Queue: 3 short\n1 0 -1 9 2 -1 -1 2 9999 -1 1 -1 -1 -1 3 -1 -1 -1\n",
     "1: at 0 short rigid 2, 9 s with 2, estimate 9999\n"},
    {"an executable that the header describes",
     "; Note: vmsim executable 3: virtually-malleable sizes=pow2 speedup=amdahl:0.5 "
     "cores-per-process=2 application=a b\n1 0 -1 9 8 -1 -1 8 -1 -1 1 -1 -1 3 -1 -1 -1 -1\n",
     "1: at 0 long vm 1,2,4 x2, 9 s with 4, runs a b\n"},
    {"an executable that changes its processes",
     "; Note: vmsim executable 3: malleable sizes=any\n"
     "1 0 -1 9 3 -1 -1 3 -1 -1 1 -1 -1 3 -1 -1 -1 -1\n",
     "1: at 0 long malleable 1,2,3, 9 s with 3\n"},

    {"empty", "", "L: there is no job in it"},
    {"only comments", "; Version: 2.2\n", "L: there is no job in it"},
    {"too few fields", good + "8 60 5\n", "L:2: 3 fields instead of 18"},
    {"too many fields", "7 60 5 90 4 -1 -1 4 120 -1 1 12 1 -1 -1 -1 -1 -1 -1\n",
     "L:1: 19 fields instead of 18"},
    {"job number 0", "0 60 5 90 4 -1 -1 4 120 -1 1 12 1 -1 -1 -1 -1 -1\n",
     "L:1: field 1 (job number) is 0; job numbers begin at 1"},
    {"job number unknown", "-1 60 5 90 4 -1 -1 4 120 -1 1 12 1 -1 -1 -1 -1 -1\n",
     "L:1: field 1 (job number) is \"-1\" instead of a whole number from 0 to 4294967295"},
    {"submitted never", "1 -1 5 90 4 -1 -1 4 120 -1 1 12 1 -1 -1 -1 -1 -1\n",
     "L:1: field 2 (submit time) is \"-1\" instead of a number of seconds"},
    {"negative run time", "1 0 5 -2 4 -1 -1 4 120 -1 1 12 1 -1 -1 -1 -1 -1\n",
     "L:1: field 4 (run time) is \"-2\" instead of a number of seconds, or -1"},
    {"less than nothing", "1 0 -0.5 2 4 -1 -1 4 120 -1 1 12 1 -1 -1 -1 -1 -1\n",
     "L:1: field 3 (wait time) is \"-0.5\" instead of a number of seconds, or -1"},
    {"less than nothing, with an exponent", "1 0 -5e-1 2 4 -1 -1 4 120 -1 1 12 1 -1 -1 -1 -1 -1\n",
     "L:1: field 3 (wait time) is \"-5e-1\" instead of a number of seconds, or -1"},
    {"more than a number can be", "1 0 1e999 2 4 -1 -1 4 120 -1 1 12 1 -1 -1 -1 -1 -1\n",
     "L:1: field 3 (wait time) is \"1e999\" instead of a number of seconds, or -1"},
    {"no exponent", "1 0 1e 2 4 -1 -1 4 120 -1 1 12 1 -1 -1 -1 -1 -1\n",
     "L:1: field 3 (wait time) is \"1e\" instead of a number of seconds, or -1"},
    {"the file is cut off", good + "8 0 5 2 4 -1",
     "L:2: 6 fields instead of 18 (the file ends in this line)"},
    {"half a processor", "1 0 5 2 4.5 -1 -1 4 120 -1 1 12 1 -1 -1 -1 -1 -1\n",
     "L:1: field 5 (allocated processors) is \"4.5\" instead of a whole number from 0 to "
     "2147483647, or -1"},
    {"a word for memory", "1 0 5 2 4 -1 lots 4 120 -1 1 12 1 -1 -1 -1 -1 -1\n",
     "L:1: field 7 (used memory) is \"lots\" instead of a number, or -1"},
    {"an unheard-of status", "1 0 5 2 4 -1 -1 4 120 -1 6 12 1 -1 -1 -1 -1 -1\n",
     "L:1: field 11 (status) is \"6\" instead of a whole number from 0 to 5, or -1"},
    {"a word for the think time", "1 0 5 2 4 -1 -1 4 120 -1 1 12 1 -1 -1 -1 -1 x\n",
     "L:1: field 18 (think time) is \"x\" instead of a number of seconds, or -1"},
    {"a job twice", good + good, "L:2: there is another job 7"},
    {"too few processors for a process",
     "; Note: vmsim executable 3: rigid cores-per-process=4\n"
     "1 0 -1 9 6 -1 -1 6 -1 -1 1 -1 -1 3 -1 -1 -1 -1\n",
     "L:2: 6 processors are no multiple of the 4 of each process"},
    {"a machine without a size", "; MaxProcs: many\n" + good,
     "L:1: MaxProcs is \"many\" instead of a whole number from 1 to 2147483647"},
    {"an executable without number", "; Note: vmsim executable x: rigid\n" + good,
     "L:1: vmsim executable: \"x:\" instead of its number and a colon"},
    {"an executable of no kind", "; Note: vmsim executable 1: fast\n" + good,
     "L:1: vmsim executable: \"fast\" instead of rigid, virtually-malleable or malleable"},
    {"an executable's unknown attribute", "; Note: vmsim executable 1: rigid colour=red\n" + good,
     "L:1: vmsim executable: \"colour\" instead of sizes=, speedup=, cores-per-process= or "
     "application="},
    {"an executable's bad speed-up", "; Note: vmsim executable 1: rigid speedup=warp:9\n" + good,
     "L:1: vmsim executable: speed-up \"warp:9\": linear, amdahl:SERIAL, downey:A,SIGMA, "
     "dowdy:C1,C2, times:N=SECONDS,… and table:FILE[:APP] are accepted"},
};

START_TEST(reads) {
    const Row &row = rows[_i];
    const std::string got = jobs_or_error(row.log);
    ck_assert_msg(got == row.expected, "%s\ngot:\n%s\nexpected:\n%s", row.name, got.c_str(),
                  row.expected.c_str());
}
END_TEST

START_TEST(records_that_are_no_jobs_are_counted) {
    const Scratch scratch;
    const std::string path = scratch.file(
        "L", good + "8 61 5 0 -1 -1 -1 4 120 -1 5 12 1 -1 -1 -1 -1 -1\n" // cancelled
                    "9 62 5 10 0 -1 -1 4 120 -1 5 12 1 -1 -1 -1 -1 -1\n"
                    "10 63 5 10 4 -1 -1 4 120 -1 5 12 1 -1 -1 -1 -1 -1\n" // while it ran
                    "11 64 5 -1 4 -1 -1 4 120 -1 1 12 1 -1 -1 -1 -1 -1\n"
                    "12 65 5 10 -1 -1 -1 -1 120 -1 1 12 1 -1 -1 -1 -1 -1\n"
                    "7 60 5 45 4 -1 -1 4 120 -1 2 12 1 -1 -1 -1 -1 -1\n" // parts of the job
                    "7 60 5 45 4 -1 -1 4 120 -1 3 12 1 -1 -1 -1 -1 -1\n");
    sim::ReadLog log;
    const auto workload = sim::read_swf(path, {}, log);
    ck_assert_uint_eq(workload.jobs.size(), 2);
    ck_assert_uint_eq(workload.jobs[1].id, 10);
    ck_assert(log.left_out == (std::map<std::string, std::size_t>{
                                  {"jobs cancelled before they ran", 2},
                                  {"jobs whose run time is not known", 1},
                                  {"jobs whose number of processors is not known", 1},
                                  {"parts of checkpointed jobs", 2}}));
    ck_assert_uint_eq(log.bad_lines, 0);
}
END_TEST

START_TEST(leniently_bad_lines_are_skipped_and_counted) {
    const Scratch scratch;
    std::string text = "x\n" + good;
    for (int i = 0; i < 20; ++i)
        text += "nonsense\n";
    sim::ReadLog log;
    log.lenient = true;
    ck_assert_uint_eq(sim::read_swf(scratch.file("L", text), {}, log).jobs.size(), 1);
    ck_assert_uint_eq(log.bad_lines, 21);
    ck_assert_uint_eq(log.examples.size(), 10);
    ck_assert_text(scratch.without_folder(log.examples[1]), "L:3: field 1 (job number) is "
                                                            "\"nonsense\" instead of a whole "
                                                            "number from 0 to 4294967295");
}
END_TEST

using Pack = std::string (Scratch::*)(const std::string &, const std::string &) const;
constexpr Pack packs[] = {&Scratch::gzip, &Scratch::xz, &Scratch::zstd};

START_TEST(compressed_logs_are_read) {
    const Scratch scratch;
    sim::ReadLog log;
    const auto workload =
        sim::read_swf((scratch.*packs[_i])("L", "; MaxProcs: 100 (all)\n" + good), {}, log);
    ck_assert_uint_eq(workload.jobs.size(), 1);
    ck_assert_int_eq(workload.processors, 100);
}
END_TEST

START_TEST(the_machine_is_known_by_its_nodes_too) {
    const Scratch scratch;
    sim::ReadLog log;
    const auto workload = sim::read_swf(
        scratch.file("L", "; UnixStartTime: 12345\n; MaxNodes: 64\n" + good), {}, log);
    ck_assert_int_eq(workload.processors, 64);
    ck_assert_int_eq(workload.unix_start, 12345);
}
END_TEST

constexpr int some_blocks = 8000; // of zstd

std::string many_lines(int line_count = 2000) {
    std::string text;
    for (int id = 1; id <= line_count; ++id)
        text += std::to_string(id) + " " + std::to_string(id * 7919 % 100003) +
                " -1 9 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n";
    return text;
}

START_TEST(compressed_pieces_one_behind_the_other_are_one_log) {
    const Scratch scratch;
    const std::string text = many_lines(some_blocks);
    const std::size_t half = text.find('\n', text.size() / 2) + 1;
    const std::string first = read_file((scratch.*packs[_i])("A", text.substr(0, half)));
    const std::string second = read_file((scratch.*packs[_i])("B", text.substr(half)));
    sim::ReadLog log;
    ck_assert_uint_eq(sim::read_swf(scratch.file("L", first + second), {}, log).jobs.size(),
                      some_blocks);
}
END_TEST

START_TEST(compressed_data_that_ends_early_is_an_error) {
    const Scratch scratch;
    const std::string whole = read_file((scratch.*packs[_i])("W", many_lines(some_blocks)));
    const std::string path = scratch.file("L", whole.substr(0, whole.size() * 9 / 10));
    sim::ReadLog strict;
    const std::string said = refusal<sim::TraceError>([&] { sim::read_swf(path, {}, strict); });
    ck_assert_contains(said, "/L: the compressed data ends early, after line ");
    sim::ReadLog lenient;
    lenient.lenient = true;
    const auto workload = sim::read_swf(path, {}, lenient);
    ck_assert_uint_ge(lenient.bad_lines, 1);
    ck_assert_uint_gt(workload.jobs.size(), 0);
    ck_assert_uint_lt(workload.jobs.size(), some_blocks);
}
END_TEST

START_TEST(damaged_compressed_data_is_an_error) {
    const Scratch scratch;
    std::string whole = read_file((scratch.*packs[_i])("W", many_lines(some_blocks)));
    whole[whole.size() / 2] ^= 0x55;
    const std::string path = scratch.file("L", whole);
    sim::ReadLog log;
    const std::string said = refusal<sim::TraceError>([&] { sim::read_swf(path, {}, log); });
    ck_assert_contains(said, "/L:");
    ck_assert_msg(said != "(accepted)", "accepted");
}
END_TEST

struct Unread {
    std::string begin;
    const char *name;
    const char *reader;
};

const Unread unread[] = {
    {"BZh9", "is compressed with bzip2", "bzip2 -dc"},
    {"\x04\"M\x18", "is compressed with lz4", "lz4 -dc"},
    {"\x1F\x9D\x90", "is compressed with compress", "zcat"},
    {"PK\x03\x04", "is an archive of zip", "unzip -p"},
    {"log.swf" + std::string(250, '\0') + "ustar", "is an archive of tar", "tar -xOf"},
    {std::string("\xFF\xFE;\0", 4), "is in UTF-16", "iconv -f UTF-16 -t UTF-8"},
    {std::string("\xFE\xFF\0;", 4), "is in UTF-16", "iconv -f UTF-16 -t UTF-8"},
};

START_TEST(format_that_is_not_read_is_named) {
    const Unread &row = unread[_i];
    const Scratch scratch;
    sim::ReadLog log;
    const std::string path = scratch.file("L", row.begin);
    const std::string said = refusal<sim::TraceError>([&] { sim::read_swf(path, {}, log); });
    ck_assert_contains(said, row.name);
    ck_assert_contains(said, row.reader + (" " + path));
}
END_TEST

START_TEST(an_endless_line_is_an_error) {
    const Scratch scratch;
    const std::string path = scratch.file("L", good + std::string(3 << 20, 'x'));
    sim::ReadLog log;
    ck_assert_contains(refusal<sim::TraceError>([&] { sim::read_swf(path, {}, log); }),
                       "/L:2: the line is longer than a megabyte");
}
END_TEST

START_TEST(files_that_cannot_be_opened_are_named) {
    sim::ReadLog log;
    ck_assert_text(refusal<sim::TraceError>([&] { sim::read_swf({"/no/log"}, {}, log); }),
                   "/no/log: No such file or directory");
    ck_assert_text(refusal<sim::TraceError>([&] { sim::read_swf({"/"}, {}, log); }),
                   "/: is a directory");
    ck_assert_text(refusal<sim::TraceError>([&] { sim::read_swf({"/dev/null"}, {}, log); }),
                   "/dev/null: there is no job in it");
}
END_TEST

struct TreatmentRow {
    const char *name;
    sim::Treatment treatment;
    const char *expected; // of `treated`
};

const std::string treated = "1 0 -1 150 6 -1 -1 12 120 -1 1 3 -1 -1 2 -1 -1 -1\n";

sim::Treatment with(void (*change)(sim::Treatment &)) {
    sim::Treatment treatment;
    change(treatment);
    return treatment;
}

const TreatmentRow treatments[] = {
    {"default", {}, "1: at 0 short rigid 6, 150 s with 6, estimate 120, of 3\n"},
    {"kill", with([](auto &t) { t.overrun = sim::Overrun::kill; }),
     "1: at 0 short rigid 6, 150 s with 6, estimate 120, limit 120, of 3\n"},
    {"raise the estimate", with([](auto &t) { t.overrun = sim::Overrun::raise_estimate; }),
     "1: at 0 short rigid 6, 150 s with 6, estimate 150, of 3\n"},
    {"requested processors", with([](auto &t) { t.processors = sim::Processors::requested; }),
     "1: at 0 short rigid 12, 150 s with 12, estimate 120, of 3\n"},
    {"class by queue",
     with([](auto &t) { t.class_by_partition["2"] = policy::JobClass::long_job; }),
     "1: at 0 long rigid 6, 150 s with 6, estimate 120, of 3\n"},
    {"time limit of short jobs", with([](auto &t) { t.short_time_limit = 119; }),
     "1: at 0 long rigid 6, 150 s with 6, estimate 120, of 3\n"},
    {"virtually malleable", with([](auto &t) { t.malleability.share = 1; }),
     "1: at 0 short vm 6, 150 s with 6, estimate 120, of 3\n"},
    {"with sizes", with([](auto &t) {
         t.malleability.share = 1;
         t.malleability.sizes = sim::SizeRule("pow2");
     }),
     "1: at 0 short vm 1,2,4,6, 150 s with 6, estimate 120, of 3\n"},
    {"of another queue only", with([](auto &t) {
         t.malleability.share = 1;
         t.malleability.partitions = {"batch"};
     }),
     "1: at 0 short rigid 6, 150 s with 6, estimate 120, of 3\n"},
    {"of this queue", with([](auto &t) {
         t.malleability.share = 1;
         t.malleability.partitions = {"2"};
     }),
     "1: at 0 short vm 6, 150 s with 6, estimate 120, of 3\n"},
    {"of another user only", with([](auto &t) {
         t.malleability.share = 1;
         t.malleability.users = {"4"};
     }),
     "1: at 0 short rigid 6, 150 s with 6, estimate 120, of 3\n"},
    {"long ones only", with([](auto &t) {
         t.malleability.share = 1;
         t.malleability.job_class = policy::JobClass::long_job;
     }),
     "1: at 0 short rigid 6, 150 s with 6, estimate 120, of 3\n"},
};

START_TEST(treats) {
    const TreatmentRow &row = treatments[_i];
    ck_assert_msg(jobs_or_error(treated, row.treatment) == row.expected, "%s: %s", row.name,
                  jobs_or_error(treated, row.treatment).c_str());
}
END_TEST

START_TEST(a_share_of_the_jobs_is_drawn_by_id_and_seed) {
    const Scratch scratch;
    const std::string path = scratch.file("L", many_lines());
    const auto chosen = [&](double share, std::uint64_t seed) {
        sim::Treatment treatment;
        treatment.malleability.share = share;
        treatment.malleability.seed = seed;
        sim::ReadLog log;
        std::vector<bool> result;
        for (const sim::Job &job : sim::read_swf(path, treatment, log).jobs)
            result.push_back(job.virtually_malleable);
        return result;
    };
    const auto count = [](const std::vector<bool> &v) {
        return std::count(v.begin(), v.end(), true);
    };
    const auto quarter = chosen(0.25, 1), half = chosen(0.5, 1);
    ck_assert_int_eq(count(chosen(0, 1)), 0);
    ck_assert_int_eq(count(chosen(1, 1)), 2000);
    ck_assert_int_ge(count(quarter), 500 - 80); // four standard deviations
    ck_assert_int_le(count(quarter), 500 + 80);
    ck_assert(chosen(0.25, 1) == quarter);
    ck_assert(chosen(0.25, 2) != quarter);
    for (std::size_t i = 0; i < half.size(); ++i)
        ck_assert_msg(half[i] || !quarter[i], "a larger share takes others");
}
END_TEST

START_TEST(what_is_written_reads_back) {
    sim::SwfHeader header;
    header.max_processors = 128;
    header.unix_start_time = 1743296400;
    sim::Executable executable;
    executable.application = "wave 2";
    executable.sizes = sim::SizeRule("halves:2");
    executable.speedup = sim::parse_speedup("downey:8,0.5");
    executable.cores_per_process = 2;
    header.executables[5] = executable;
    sim::Job rigid;
    rigid.id = 4;
    rigid.sizes = {3};
    rigid.runtime_processes = 3;
    rigid.runtime = 1500;
    rigid.job_class = policy::JobClass::long_job;
    rigid.recorded_start = 250;
    rigid.user = "anna";
    sim::Job wave;
    wave.id = 9;
    wave.submit = 12345;
    wave.virtually_malleable = true;
    wave.sizes = {2, 4, 8};
    wave.cores_per_process = 2;
    wave.runtime_processes = 8;
    wave.runtime = 60000;
    wave.estimate = 77;
    wave.application = "wave 2";
    wave.user = "bert";
    std::ostringstream out;
    sim::SwfWriter writer(out, header);
    writer.write(rigid);
    writer.write(wave);

    const Scratch scratch;
    sim::ReadLog log;
    const auto workload = sim::read_swf(scratch.file("L", out.str()), {}, log);
    rigid.user = "1"; // names are not written
    wave.user = "2";
    ck_assert_text(to_text(workload), to_text(rigid) + "\n" + to_text(wave) + "\n");
    ck_assert_double_eq(workload.jobs[1].speedup->at(6), executable.speedup.curve->at(6));
    ck_assert_int_eq(workload.processors, 128);
    ck_assert_int_eq(workload.unix_start, 1743296400);
}
END_TEST

} // namespace

TCase *swf_tests() {
    TCase *tests = tcase_create("SWF");
    tcase_add_loop_test(tests, reads, 0, std::size(rows));
    tcase_add_test(tests, records_that_are_no_jobs_are_counted);
    tcase_add_test(tests, leniently_bad_lines_are_skipped_and_counted);
    tcase_add_loop_test(tests, compressed_logs_are_read, 0, static_cast<int>(std::size(packs)));
    tcase_add_test(tests, the_machine_is_known_by_its_nodes_too);
    tcase_add_loop_test(tests, compressed_data_that_ends_early_is_an_error, 0,
                        static_cast<int>(std::size(packs)));
    tcase_add_loop_test(tests, damaged_compressed_data_is_an_error, 0,
                        static_cast<int>(std::size(packs)));
    tcase_add_loop_test(tests, format_that_is_not_read_is_named, 0, std::size(unread));
    tcase_add_loop_test(tests, compressed_pieces_one_behind_the_other_are_one_log, 0,
                        static_cast<int>(std::size(packs)));
    tcase_add_test(tests, an_endless_line_is_an_error);
    tcase_add_test(tests, files_that_cannot_be_opened_are_named);
    tcase_add_loop_test(tests, treats, 0, std::size(treatments));
    tcase_add_test(tests, a_share_of_the_jobs_is_drawn_by_id_and_seed);
    tcase_add_test(tests, what_is_written_reads_back);
    return tests;
}
