// SPDX-License-Identifier: GPL-2.0-or-later
//
// The parameter files of the thesis' launcher.
#include "experiments/launcher/launcher.hpp"
#include "run.hpp"
#include "unit/sim/trace/scratch.hpp"

namespace {

using namespace vmall;

const std::string fixture = FIXTURES;

sim::Workload read(const std::string &folder, sim::ReadLog &log) {
    return sim::read_launcher(folder, sim::thesis_applications(), log);
}

START_TEST(the_files_of_the_figures_become_a_workload) {
    sim::ReadLog log;
    const auto workload = read(fixture, log);
    std::string up_to_60 = "1";
    for (int size = 2; size <= 60; ++size)
        up_to_60 += "," + std::to_string(size);
    ck_assert_text(to_text(workload),
                   "1: at 2 long vm 1,4,9,16,25,36,49, 50 s with 49, runs BT.A\n"
                   "2: at 34 long vm 1,4,9,16,25,36,49, 50 s with 49, runs BT.A\n"
                   "3: at 36 short vm " +
                       up_to_60 +
                       ", 5 s with 60, estimate 60, runs Sweep3D\n"
                       "4: at 67 long vm 1,2,4,8,16,32, 88 s with 32, runs CG.B\n");
    ck_assert_double_eq_tol(workload.jobs[3].speedup->at(16), 4385.0 / 180, 1e-9);
}
END_TEST

struct Row {
    const char *name;
    const char *file;
    const char *content;
    const char *says;
};
const Row rows[] = {
    {"an application that was not measured", "applications",
     "mpirun -np N $HOME/bin/cg.B.N\nsend.50x2\n",
     "applications:2: there is no application \"send.50x2\"; there are LU.A, "},
    {"too many sizes", "processes", "32 16 8 4 2 1 1 1\n",
     "processes:1: 8 numbers of processes instead of at most 7"},
    {"a size that is no number", "processes", "32 x\n",
     "processes:1: number 2 is \"x\" instead of a number of processes, or -1"},
    {"no size", "processes", "-1 -1\n", "processes:1: number 1 is \"-1\" instead of a number"},
    {"-1 among sizes", "processes", "32 8 -1\n", "processes:1: -1 stands in all places"},
    {"sizes after -1", "processes", "32 -1 8\n", "processes:1: numbers of processes after a -1"},
    {"too few lines of sizes", "processes", "32\n60 -1\n",
     "processes: has 2 of 3 lines, one for each application"},
    {"too many lines of types", "types", "1\n1\n\n2\n2\n",
     "types:5: there are more than 3 lines, one for each application"},
    {"an unknown type", "types", "1\n3\n", "types:2: the type is \"3\" instead of 1 (long) or 2"},
    {"an unknown application", "trace", "0 2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 3 -1 -1 -1 -1\n",
     "trace:1: field 14 (application) is 3 instead of a number from 0 to 2"},
    {"no application", "trace", "0 2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n",
     "trace:1: field 14 (application) is -1 instead of"},
    {"too few fields", "trace", "\n0 2 -1 -1\n", "trace:2: 4 fields instead of 18"},
    {"the highest number is one too high", "trace",
     "4294967295 2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 2 -1 -1 -1 -1\n",
     "trace:1: field 1 (job number) is too high"},
    {"no job", "trace", "; nothing\n", "trace: there is no job in it"},
};

START_TEST(refuses) {
    const Row &row = rows[_i];
    const Scratch scratch;
    for (const char *name : {"applications", "processes", "types", "trace"})
        scratch.file(name,
                     name == std::string(row.file) ? row.content : read_file(fixture + "/" + name));
    sim::ReadLog log;
    const std::string said = refusal<sim::TraceError>([&] { read(scratch.folder(), log); });
    ck_assert_msg(scratch.without_folder(said).rfind(row.says, 0) == 0, "%s: %s", row.name,
                  said.c_str());
}
END_TEST

START_TEST(a_file_that_is_missing_is_named) {
    const Scratch scratch;
    sim::ReadLog log;
    ck_assert_text(
        scratch.without_folder(refusal<sim::TraceError>([&] { read(scratch.folder(), log); })),
        "applications: No such file or directory");
}
END_TEST

START_TEST(leniently_only_lines_of_the_trace_are_skipped) {
    const Scratch scratch;
    for (const char *name : {"applications", "processes", "types", "trace"})
        scratch.file(name, read_file(fixture + "/" + name));
    const std::string trace = read_file(fixture + "/trace");
    scratch.file("trace", "x\n" + trace + trace);
    sim::ReadLog log;
    log.lenient = true;
    ck_assert_uint_eq(read(scratch.folder(), log).jobs.size(), 4);
    ck_assert_uint_eq(log.bad_lines, 5);
    ck_assert_contains(log.examples[1], "/trace:6: there is another job 0");
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("the launcher's files");
    tcase_add_test(tests, the_files_of_the_figures_become_a_workload);
    tcase_add_loop_test(tests, refuses, 0, std::size(rows));
    tcase_add_test(tests, a_file_that_is_missing_is_named);
    tcase_add_test(tests, leniently_only_lines_of_the_trace_are_skipped);
    return run("launcher", tests);
}
