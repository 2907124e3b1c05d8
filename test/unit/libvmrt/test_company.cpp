// SPDX-License-Identifier: GPL-2.0-or-later
//
// Programs that reach MPI in unusual ways, other preloaded tools, and programs without MPI: the
// runtime does its work among them, or stays out, but breaks nothing.
#include "trial.hpp"

#include <cstdlib>
#include <iterator>

using namespace vmall::test;

namespace {

using Command = std::vector<std::string>;

constexpr int ranks = 4;
constexpr long steps = 5000;

// How often depends on when their followers have found them places, on a busy machine perhaps only
// when nearly all steps are over.
void assert_folded(Stage &stage) {
    ck_assert_uint_gt(hand_overs(stage), 0);
}

// The page stays as the agent made it.
void assert_not_attached(Stage &stage) {
    ck_assert_msg(stage.runtime().magic == 0, "somebody wrote into the runtime page");
}

void assert_profiled(const Outcome &outcome) {
    ck_assert_contains(outcome.output, "profiled=" + std::to_string(steps) + "\n");
}

Command mpiexec(const Command &command) {
    Command whole{MPIEXEC, "-n", std::to_string(ranks)};
    whole.insert(whole.end(), command.begin(), command.end());
    return whole;
}

START_TEST(a_program_that_calls_pmpi_itself_folds) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    const Outcome outcome =
        stage.start(ranks, {MPI_PROGRAMS "/profiled", std::to_string(steps), "1"}).wait();
    assert_right(outcome, ranks, steps, 1);
    assert_profiled(outcome);
    assert_folded(stage);
}
END_TEST

START_TEST(a_profiler_may_be_preloaded_before_or_after) {
    const std::string profiler = MPI_PROGRAMS "/profiler.so";
    const std::string preload = _i == 0 ? profiler + ":" + libvmrt : libvmrt + ":" + profiler;
    Stage stage;
    stage.allot({usable_cpus()[0]});
    const Outcome outcome = stage.start_task(mpiexec(ring(steps, 1)), preload).wait();
    assert_right(outcome, ranks, steps, 1);
    assert_profiled(outcome);
    assert_folded(stage);
}
END_TEST

START_TEST(a_program_that_yields_itself_folds) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    const Outcome outcome =
        stage.start(ranks, {MPI_PROGRAMS "/yields", std::to_string(steps), "1"}).wait();
    assert_right(outcome, ranks, steps, 1);
    assert_folded(stage);
}
END_TEST

const char *const scopes[] = {"RTLD_GLOBAL", "RTLD_LOCAL"};

START_TEST(mpi_may_be_loaded_at_run_time) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    const Outcome outcome = stage
                                .start(2, {"/usr/bin/python3", MPI_SCRIPTS "/loaded.py",
                                           "libmpich.so.12", scopes[_i], std::to_string(steps)})
                                .wait();
    ck_assert_msg(outcome.succeeded(), "status %d", outcome.status);
    ck_assert_contains(outcome.output, "ring is right\n");
    assert_folded(stage);
}
END_TEST

START_TEST(a_static_program_runs_and_is_not_attached) {
    Stage stage;
    const Outcome outcome = stage.start(2, {MPI_PROGRAMS "/static"}).wait();
    ck_assert(outcome.succeeded());
    ck_assert_text(outcome.output, "static\nstatic\n");
    assert_not_attached(stage);
}
END_TEST

START_TEST(a_program_without_mpi_pays_nothing) {
    Stage stage;
    const Outcome outcome =
        stage.start_task({"/bin/cat", "/proc/self/status", "/proc/self/maps"}).wait();
    ck_assert(outcome.succeeded());
    ck_assert_contains(outcome.output, "\nThreads:\t1\n");
    ck_assert_contains(outcome.output, libvmrt);
    for (const std::string &path : {stage.control_path(), std::string("/SYSV")})
        ck_assert_msg(outcome.output.find(path) == std::string::npos, "%s is mapped", path.c_str());
    assert_not_attached(stage);
}
END_TEST

// As in a container, where no process id is what it is outside.
START_TEST(ranks_in_a_pid_namespace_of_their_own_stay_out_and_say_so) {
    const Command own_pids{"--pid", "--fork", "--mount-proc"};
    if (!can_unshare(own_pids))
        return;
    Stage stage;
    Program outside = stage.start(2, ring(endless, 1));
    await_ranks(stage, 2);
    const std::vector<pid_t> before = stage.ranks();
    setenv("VMALL_DEBUG", "1", 1);
    const Outcome inside = stage.start_task(unshared(own_pids, mpiexec(ring(steps, 1)))).wait();
    assert_right(inside, ranks, steps, 1);
    ck_assert_contains(inside.output, "in a PID namespace of its own, staying out");
    ck_assert_msg(stage.ranks() == before, "ranks that live have lost their slots");
    tell_to_end(stage);
    assert_right(outside.wait(), 2, endless, 1);
}
END_TEST

} // namespace

int main() {
    if (!can_be_staged(2))
        return skipped;
    TCase *tests = tcase_create("company");
    tcase_add_test(tests, a_program_that_calls_pmpi_itself_folds);
    tcase_add_loop_test(tests, a_profiler_may_be_preloaded_before_or_after, 0, 2);
    tcase_add_test(tests, a_program_that_yields_itself_folds);
    tcase_add_loop_test(tests, mpi_may_be_loaded_at_run_time, 0,
                        static_cast<int>(std::size(scopes)));
    tcase_add_test(tests, a_static_program_runs_and_is_not_attached);
    tcase_add_test(tests, a_program_without_mpi_pays_nothing);
    tcase_add_test(tests, ranks_in_a_pid_namespace_of_their_own_stay_out_and_say_so);
    return run("libvmrt in company", tests);
}
