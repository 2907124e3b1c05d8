// SPDX-License-Identifier: GPL-2.0-or-later
//
// Every call of MPI that waits, through whatever the program reaches MPI: what a waiting rank gets
// is right, and it leaves its CPU to the one it waits for.
#include "waiting_calls.hpp"

#include <iterator>

using namespace std::chrono_literals;
using namespace vmall::test;

namespace {

using Command = std::vector<std::string>;

struct Waiting {
    Command command;
    int calls;
};

const Waiting programs[] = {
    {{MPI_PROGRAMS "/calls", late_ms, "1"}, 40},    {{MPI_PROGRAMS "/calls", late_ms, "2"}, 40},
    {{MPI_PROGRAMS "/calls_mpif_h", late_ms}, 18},  {{MPI_PROGRAMS "/calls_mpi", late_ms}, 18},
    {{MPI_PROGRAMS "/calls_mpi_f08", late_ms}, 18},
};

START_TEST(whoever_waits_leaves_the_cpu_to_the_late) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    assert_waits_leave_the_cpu(stage.start(4, programs[_i].command).wait(), programs[_i].calls);
}
END_TEST

// One CPU has nothing to do but poll, so its time tells nothing.
START_TEST(whoever_waits_may_go_on_elsewhere) {
    Stage stage;
    stage.control().run_queues = VMALL_QUEUES_KERNEL;
    stage.allot({usable_cpus()[0], usable_cpus()[1]});
    const Outcome outcome = stage.start(5, {MPI_PROGRAMS "/calls", "10", "2"}).wait();
    assert_succeeded(outcome);
    ck_assert_contains(outcome.output, "calls done\n");
}
END_TEST

START_TEST(two_threads_of_a_rank_may_wait_at_once) {
    const Command command{MPI_PROGRAMS "/threads", "1000", "1"};
    const std::string expected = checksum(Stage::start_stock(2, command).wait());
    Stage stage;
    ck_assert_text(checksum(stage.start(2, command).wait()), expected);
    stage.allot({usable_cpus()[0]});
    ck_assert_text(checksum(stage.start(2, command).wait()), expected);
}
END_TEST

} // namespace

int main() {
    if (!can_be_staged(2))
        return skipped;
    TCase *tests = tcase_create("calls");
    tcase_add_loop_test(tests, whoever_waits_leaves_the_cpu_to_the_late, 0,
                        static_cast<int>(std::size(programs)));
    tcase_add_test(tests, whoever_waits_may_go_on_elsewhere);
    tcase_add_test(tests, two_threads_of_a_rank_may_wait_at_once);
    return run("libvmrt and MPI's calls", tests);
}
