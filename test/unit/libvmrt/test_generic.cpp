// SPDX-License-Identifier: GPL-2.0-or-later
//
// The generic engine, in the place of the others: programs of both kinds of handles, and which
// libraries it serves.
#include "open_mpi.hpp"
#include "waiting_calls.hpp"

#include <cstdio>
#include <cstdlib>
#include <iterator>

using namespace vmall::test;

namespace {

// Of MPICH and, but for Fortran's, Open MPI. How often ranks hand over depends on who else computes
// on the machine.
struct Kernel {
    const char *program;
    Command arguments;
    bool hands_over;
};

const Kernel kernels[] = {
    {"ring", {"2000", "1"}, true},
    {"cg", {"40", "1000"}, true},
    {"stencil", {"60", "500"}, true},
    {"imbalanced", {"200", "1"}, true},
    {"wavefront", {"2000"}, true},
    {"heat", {"10000", "500"}, true},
    {"power", {"200", "200"}, true},
    {"send", {"300", "10", "3", "0"}, true},
    {"tasks", {"400", "10", "1"}, true},
    {"gaussian", {"400"}, false},
    {"sort", {"10", "5"}, true},
    {"fourier", {"4", "5"}, true},
    {"multigrid", {"4", "3"}, true},
    {"threads", {"300", "1"}, false},
    {"patterns", {"0", "500", "1"}, true},
    {"patterns", {"1", "500", "1"}, true},
    {"patterns", {"2", "500", "1"}, true},
    {"patterns", {"3", "20", "1"}, true}, // fences, in which the ranks poll
    {"patterns", {"4", "500", "1"}, true},
    {"patterns", {"5", "500", "1"}, true},
};

// In these the ranks poll.
constexpr char without_a_twin[] =
    "comm_split comm_create intercomm graph dist_graph fence post_start lock lock_all file "
    "partitioned";

Command with(const std::string &program, const Command &arguments) {
    Command command{MPI_PROGRAMS "/" + program};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
}

// 2 of `threads`, which want two CPUs.
int ranks_of(const Kernel &kernel) {
    return std::string(kernel.program) == "threads" ? 2 : 4;
}

// What MPICH computes in blocking calls.
std::string expected(const Stage &stage, const Kernel &kernel) {
    Command command{"/usr/bin/env", "-u", "VMALL_ENGINE",
                    MPIEXEC,        "-n", std::to_string(ranks_of(kernel))};
    for (const std::string &word : with(kernel.program, kernel.arguments))
        command.push_back(word);
    return checksum(stage.start_task(command).wait());
}

void assert_right(Stage &stage, const Kernel &kernel, const Folded &folded) {
    const auto ranks = static_cast<std::size_t>(ranks_of(kernel));
    ck_assert_text(checksum(folded.outcome), expected(stage, kernel));
    if (!kernel.hands_over)
        return;
    ck_assert_msg(folded.switches > 0, "%s: no hand-overs", kernel.program);
    ck_assert_msg(folded.ranks == ranks, "%s: %zu ranks attached", kernel.program, folded.ranks);
    ck_assert_uint_eq(folded.engines, VMALL_ENGINE_GENERIC);
}

START_TEST(programs_of_mpich_fold_right) {
    const Kernel &kernel = kernels[_i];
    Stage stage;
    stage.allot({usable_cpus()[0]});
    assert_right(
        stage, kernel,
        watch(stage, stage.start(ranks_of(kernel), with(kernel.program, kernel.arguments))));
}
END_TEST

START_TEST(programs_of_open_mpi_fold_right) {
    const Kernel &kernel = kernels[_i];
    const std::string program = std::string(kernel.program) + ".openmpi";
    if (!HAVE_OPEN_MPI)
        return;
    Stage stage;
    stage.allot({usable_cpus()[0]});
    assert_right(stage, kernel,
                 watch(stage, stage.start_task(
                                  open_mpi(ranks_of(kernel), with(program, kernel.arguments)))));
}
END_TEST

struct Waiting {
    const char *program;
    Command arguments;
    int calls;
};

const Waiting programs[] = {
    {"calls", {late_ms, "1"}, 40},    {"calls", {late_ms, "2"}, 40},
    {"calls_mpif_h", {late_ms}, 18},  {"calls_mpi", {late_ms}, 18},
    {"calls_mpi_f08", {late_ms}, 18},
};

START_TEST(whoever_waits_leaves_the_cpu_to_the_late) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    assert_waits_leave_the_cpu(
        stage.start(4, with(programs[_i].program, programs[_i].arguments)).wait(),
        programs[_i].calls, without_a_twin);
}
END_TEST

// Before and behind the runtime in the order of the loader.
START_TEST(a_profiler_sees_the_calls_once) {
    const std::string profiler = MPI_PROGRAMS "/profiler.so";
    Stage stage;
    stage.allot({usable_cpus()[0]});
    const Folded folded = watch(
        stage, stage.start_task({MPIEXEC, "-n", "2", MPI_PROGRAMS "/ring", "1000", "1"},
                                _i == 0 ? profiler + ":" + libvmrt : libvmrt + ":" + profiler));
    assert_right(folded.outcome, 2, 1000, 1);
    ck_assert_contains(folded.outcome.output, "profiled=1000\n");
    ck_assert_uint_gt(folded.switches, 0);
}
END_TEST

struct Library {
    const char *version;
    bool has_common_abi;
    const char *calls;
};

constexpr char served_as_mpich[] = "1 -2 3 Isend Test Test Test 0x44000000 Ibarrier Test Test Test "
                                   "Finalize\n";
constexpr char served_as_common[] = "1 -2 3 Isend Test Test Test 0x101 Ibarrier Test Test Test "
                                    "Finalize\n";
constexpr char left_alone[] = "Send 1 -2 3 Finalize\n";

const Library stand_ins[] = {
    {"MPICH Version:\t4.0.2\nMPICH Device:\tch4:ofi\n", false, served_as_mpich},
    {"MPICH Version:\t3.2\nMPICH Device:\tch3:nemesis\n", false, served_as_mpich},
    {"MPICH Version:\t4.0.2\nMPICH Device:\tch4:ucx\n", false, left_alone},
    {"Intel(R) MPI Library 2021.11 for Linux* OS\n", false, served_as_mpich},
    {"MPI VERSION    : CRAY MPICH version 8.1.28 (ANL base 3.4a2)\n", false, served_as_mpich},
    {"MVAPICH2 Version      :\t2.3.7\nMVAPICH2 Device       :\tch3:mrail\n", false,
     served_as_mpich},
    {"MPICH Version:\t5.0.0\nMPICH Device:\tch4:ofi\n", true, served_as_common},
    {"MPICH Version:\t5.0.0\nMPICH Device:\tch4:ucx\n", true, left_alone},
    {"something of the common ABI", true, served_as_common},
    {"something that nobody knows", false, left_alone},
};

Outcome start_stand_in(const Library &library, const Command &program) {
    Command environment{"LD_PRELOAD=" + libvmrt, std::string("STAND_IN_VERSION=") + library.version,
                        "VMALL_DEBUG=1", "VMALL_ENGINE="};
    if (library.has_common_abi)
        environment.push_back("STAND_IN_COMMON_ABI=1");
    const Outcome outcome = Program(program, environment).wait();
    assert_succeeded(outcome);
    return outcome;
}

START_TEST(it_serves_libraries_that_it_knows_and_whose_progress_it_cannot_see) {
    const Library &library = stand_ins[_i];
    const Outcome outcome = start_stand_in(library, {STAND_IN});
    ck_assert_contains(outcome.output, library.calls);
    const bool is_unknown =
        outcome.output.find("MPI library that is not known") != std::string::npos;
    ck_assert(is_unknown == (_i == static_cast<int>(std::size(stand_ins)) - 1));
}
END_TEST

START_TEST(an_unknown_library_is_told_to_the_agent) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    assert_succeeded(stage
                         .start_task({"/usr/bin/env", "VMALL_ENGINE=",
                                      "STAND_IN_VERSION=something that nobody knows", STAND_IN})
                         .wait());
    ck_assert_uint_eq(stage.runtime().engines, VMALL_ENGINE_NONE);
}
END_TEST

// As mpi4py looks for them, and would call them.
START_TEST(calls_that_the_library_lacks_are_not_found) {
    ck_assert_contains(start_stand_in(stand_ins[0], {STAND_IN}).output, "no MPI_Send_c\n");
}
END_TEST

// As those of Python's modules are.
START_TEST(the_library_may_be_out_of_the_global_scope) {
    const std::string load = "import ctypes; ctypes.CDLL('" STAND_IN "_module.so').main()";
    const Outcome outcome = start_stand_in(stand_ins[0], {"/usr/bin/python3", "-c", load});
    ck_assert_contains(outcome.output, stand_ins[0].calls);
}
END_TEST

} // namespace

int main() {
    if (!can_be_staged(2))
        return skipped;
    setenv("VMALL_ENGINE", "generic", 1);
    TCase *tests = tcase_create("generic");
    constexpr int kernel_count = static_cast<int>(std::size(kernels));
    tcase_add_loop_test(tests, programs_of_mpich_fold_right, 0, kernel_count);
    tcase_add_loop_test(tests, programs_of_open_mpi_fold_right, 0, kernel_count);
    tcase_add_loop_test(tests, whoever_waits_leaves_the_cpu_to_the_late, 0,
                        static_cast<int>(std::size(programs)));
    tcase_add_loop_test(tests, a_profiler_sees_the_calls_once, 0, 2);
    tcase_add_loop_test(tests, it_serves_libraries_that_it_knows_and_whose_progress_it_cannot_see,
                        0, static_cast<int>(std::size(stand_ins)));
    tcase_add_test(tests, an_unknown_library_is_told_to_the_agent);
    tcase_add_test(tests, calls_that_the_library_lacks_are_not_found);
    tcase_add_test(tests, the_library_may_be_out_of_the_global_scope);
    return run("libvmrt's generic engine", tests);
}
