// SPDX-License-Identifier: GPL-2.0-or-later
//
// Programs of Open MPI under the preloaded runtime. MPICH's results are the reference.
#include "open_mpi.hpp"
#include "waiting_calls.hpp"

#include <cstdio>
#include <iterator>
#include <unistd.h>

using namespace vmall::test;

namespace {

void folds_right(const std::string &program, const Command &arguments, int ranks, int processes) {
    Command reference{MPI_PROGRAMS "/" + program}, command{MPI_PROGRAMS "/" + program + ".openmpi"};
    if (program == "spawn") // MPICH over UCX cannot, but computes the same in one piece
        reference = {MPI_PROGRAMS "/ring"};
    reference.insert(reference.end(), arguments.begin(), arguments.end());
    command.insert(command.end(), arguments.begin(), arguments.end());
    Stage stage;
    stage.allot({usable_cpus()[0]});
    const Folded folded = watch(stage, stage.start_task(open_mpi(ranks, command)));
    const Outcome expected = stage.start(processes, reference).wait();
    ck_assert_text(checksum(folded.outcome), checksum(expected));
    // Its launcher inherits the preload, too, but is no rank.
    ck_assert_msg(folded.ranks == static_cast<std::size_t>(processes), "%zu ranks attached",
                  folded.ranks);
    ck_assert_uint_eq(folded.engines, VMALL_ENGINE_OPEN_MPI);
    ck_assert_uint_gt(folded.switches, 0);
}

START_TEST(a_ring_folds) {
    folds_right("ring", {"5000", "1"}, 4, 4);
}
END_TEST

START_TEST(conjugate_gradients_fold) {
    folds_right("cg", {"40", "2000"}, 4, 4);
}
END_TEST

START_TEST(spawned_processes_fold_with_those_that_spawned_them) {
    folds_right("spawn", {"5000", "1"}, 2, 4);
}
END_TEST

START_TEST(whoever_waits_leaves_the_cpu_to_the_late) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    const char *threads = _i == 0 ? "1" : "2";
    assert_waits_leave_the_cpu(
        stage.start_task(open_mpi(4, {MPI_PROGRAMS "/calls.openmpi", late_ms, threads})).wait(),
        40);
}
END_TEST

const char *const scopes[] = {"RTLD_GLOBAL", "RTLD_LOCAL"};

START_TEST(it_may_be_loaded_at_run_time) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    const Folded folded =
        watch(stage, stage.start_task(open_mpi(2, {"/usr/bin/python3", MPI_SCRIPTS "/loaded.py",
                                                   "libmpi.so.40", scopes[_i], "1000"})));
    assert_succeeded(folded.outcome);
    ck_assert_contains(folded.outcome.output, "ring is right\n");
    ck_assert_uint_gt(folded.switches, 0);
}
END_TEST

START_TEST(what_progress_counts_is_told_to_who_asks) {
    Stage stage;
    const Outcome outcome =
        stage.start_task(open_mpi(1, {"/usr/bin/python3", MPI_SCRIPTS "/progress.py"})).wait();
    assert_succeeded(outcome);
    ck_assert_contains(outcome.output, "events: 0\n");
}
END_TEST

START_TEST(it_folds_and_unfolds_on_the_way) {
    Stage stage;
    const Cpus cpus = usable_cpus();
    Program program =
        stage.start_task(open_mpi(4, {MPI_PROGRAMS "/ring.openmpi", std::to_string(endless), "1"}));
    const auto ranks_on_first = [&] {
        int there = 0;
        for (const vmall_runtime_slot &slot : stage.runtime().slots)
            there += slot.owner != 0 && slot.cpu_plus_1 == cpus[0] + 1u;
        return there;
    };
    for (int changes = 0; changes < 10; ++changes) {
        const bool folds = changes % 2 == 0;
        stage.allot(folds ? Cpus{cpus[0]} : Cpus{cpus[0], cpus[1]});
        ck_assert(comes_true([&] { return ranks_on_first() == (folds ? 4 : 2); }));
        usleep(20000);
    }
    await_hand_overs_on_both(stage);
    tell_to_end(stage);
    assert_right(program.wait(), 4, endless, 1);
}
END_TEST

struct Binding {
    const char *what;
    Command options; // of mpirun, which ends where it cannot bind four ranks to cores of their own
    std::uint32_t mpl;
    bool runs, is_told;
};

const Binding bindings[] = {
    {"nothing is folded", {"--bind-to", "core"}, 1, false, false},
    {"to cores", {"--bind-to", "core"}, 4, true, true},
    {"to cores that are mapped one by one",
     {"--map-by", "slot:PE=1", "--bind-to", "core"},
     4,
     true,
     true},
    {"to nothing", {"--bind-to", "none"}, 4, true, false},
    {"by default", {}, 4, true, false},
    {"to several cores each, as these are mapped", {"--map-by", "slot:PE=1"}, 4, true, false},
};

START_TEST(a_binding_that_the_fold_contradicts_is_given_up) {
    const Binding &row = bindings[_i];
    Stage stage;
    stage.allot({usable_cpus()[0]}, 0, row.mpl);
    const int ranks = 4 * static_cast<int>(usable_cpus().size()); // more than there are cores
    const std::string slots = "localhost:" + std::to_string(ranks);
    Command command{OPEN_MPIEXEC, "--allow-run-as-root", "--host", slots,
                    "-n",         std::to_string(ranks)};
    command.insert(command.end(), row.options.begin(), row.options.end());
    command.insert(command.end(), {"echo", "a rank"});
    const Outcome outcome = stage.start_task(command).wait();
    ck_assert_msg(outcome.succeeded() == row.runs, "%s: %s", row.what, outcome.output.c_str());
    const std::string word = "the job is folded: its ranks share cores";
    const std::size_t first = outcome.output.find(word);
    ck_assert_msg((first != std::string::npos) == row.is_told, "%s: %s", row.what,
                  outcome.output.c_str());
    ck_assert_msg(outcome.output.rfind(word) == first, "twice: %s", outcome.output.c_str());
}
END_TEST

} // namespace

int main() {
    if (!HAVE_OPEN_MPI) {
        std::puts("skipped: no Open MPI to compile with (Debian: libopenmpi-dev)");
        return skipped;
    }
    if (!can_be_staged(2))
        return skipped;
    TCase *tests = tcase_create("open_mpi");
    tcase_add_test(tests, a_ring_folds);
    tcase_add_test(tests, conjugate_gradients_fold);
    tcase_add_test(tests, spawned_processes_fold_with_those_that_spawned_them);
    tcase_add_loop_test(tests, whoever_waits_leaves_the_cpu_to_the_late, 0, 2);
    tcase_add_loop_test(tests, it_may_be_loaded_at_run_time, 0,
                        static_cast<int>(std::size(scopes)));
    tcase_add_test(tests, what_progress_counts_is_told_to_who_asks);
    tcase_add_test(tests, it_folds_and_unfolds_on_the_way);
    tcase_add_loop_test(tests, a_binding_that_the_fold_contradicts_is_given_up, 0,
                        static_cast<int>(std::size(bindings)));
    return run("libvmrt under Open MPI", tests);
}
