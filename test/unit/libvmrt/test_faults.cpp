// SPDX-License-Identifier: GPL-2.0-or-later
//
// A rank does what it had better not while it has the turn, or the agent does: the others go on, or
// the program ends.
#include "trial.hpp"

#include <csignal>
#include <iterator>
#include <sys/ipc.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace vmall::test;

namespace {

// Of `steps` steps, with something done in the middle of them.
std::vector<std::string> faults(long steps, const std::string &fault = "none") {
    return {MPI_PROGRAMS "/faults", std::to_string(steps), "1", fault};
}

// Two programs of two ranks are folded in either case.
void fold(Stage &stage, vmall_run_queues queues) {
    stage.control().run_queues = queues;
    const Cpus cpus = usable_cpus();
    stage.allot(queues == VMALL_QUEUES_LOCAL ? Cpus{cpus[0]} : Cpus{cpus[0], cpus[1]});
}

struct Fault {
    const char *name;
    vmall_run_queues queues;
};

const Fault survivable[] = {
    {"fork", VMALL_QUEUES_LOCAL},   {"fork-exec", VMALL_QUEUES_LOCAL},
    {"system", VMALL_QUEUES_LOCAL}, {"sleep", VMALL_QUEUES_LOCAL},
    {"pipe", VMALL_QUEUES_LOCAL},   {"fork", VMALL_QUEUES_KERNEL},
    {"sleep", VMALL_QUEUES_KERNEL},
};

// The second program shares the CPU with the rank that has the turn and does not use it.
START_TEST(a_rank_that_is_busy_elsewhere_does_no_harm) {
    constexpr long steps = 2000;
    Stage stage;
    fold(stage, survivable[_i].queues);
    Program faulty = stage.start(2, faults(steps, survivable[_i].name));
    Program other = stage.start(2, faults(steps));
    const std::string expected = checksum(Stage::start_stock(2, faults(steps)).wait());
    ck_assert_text(checksum(faulty.wait()), expected);
    ck_assert_text(checksum(other.wait()), expected);
    ck_assert_msg(stage.ranks().empty(), "somebody kept a slot");
}
END_TEST

// Until it goes on: else nobody would ever have the turn again, and this test would not end.
START_TEST(a_rank_that_stops_in_its_turn_loses_it) {
    Stage stage;
    fold(stage, VMALL_QUEUES_LOCAL);
    Program stopping = stage.start(4, faults(2000, "stop"));
    await_ranks(stage, 4);
    const auto absent = [&]() -> pid_t {
        for (const vmall_runtime_slot &slot : stage.runtime().slots)
            if (slot.owner != 0 && slot.local_rank == 0 && slot.state == VMALL_RUNTIME_ABSENT)
                return static_cast<pid_t>(slot.owner >> 32);
        return 0;
    };
    pid_t stopped = 0;
    ck_assert(comes_true([&] { return (stopped = absent()) != 0; }));
    const std::uint64_t before = hand_overs(stage);
    ck_assert(comes_true([&] { return hand_overs(stage) > before + 100; }));
    for (; !stopping.has_ended(); std::this_thread::sleep_for(2ms))
        kill(stopped, SIGCONT);
    checksum(stopping.wait());
}
END_TEST

START_TEST(nobody_polls_against_a_rank_that_slept_and_computes_again) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    Program program = stage.start(2, faults(2, "sleep-compute"));
    std::map<std::uint32_t, double> seconds = stage.cpu_seconds_of_ranks(program);
    ck_assert(program.wait().succeeded());
    // The other may poll in the second that the first sleeps.
    ck_assert_msg(seconds[1] < seconds[0] * 0.75, "%.2f s polling, %.2f computing", seconds[1],
                  seconds[0]);
}
END_TEST

const Fault fatal[] = {
    {"exit", VMALL_QUEUES_LOCAL},  {"exec", VMALL_QUEUES_LOCAL},
    {"abort", VMALL_QUEUES_LOCAL}, {"MPI_Abort", VMALL_QUEUES_LOCAL},
    {"exit", VMALL_QUEUES_KERNEL}, {"abort", VMALL_QUEUES_KERNEL},
};

const vmall_run_queues both_queues[] = {VMALL_QUEUES_LOCAL, VMALL_QUEUES_KERNEL};

START_TEST(a_program_that_breaks_off_ends_and_leaves_the_others_alone) {
    constexpr long steps = 2000;
    Stage stage;
    fold(stage, fatal[_i].queues);
    Program broken = stage.start(2, faults(steps, fatal[_i].name));
    Program other = stage.start(2, faults(steps));
    const Outcome outcome = broken.wait();
    // Not by its status: of a rank that exits before MPI_Finalize, Hydra 4.2 may tell us nothing.
    ck_assert_msg(!outcome.hung && outcome.output.find("checksum=") == std::string::npos,
                  "hung %d status %d output: %s", outcome.hung, outcome.status,
                  outcome.output.c_str());
    ck_assert_text(checksum(other.wait()), checksum(Stage::start_stock(2, faults(steps)).wait()));
    // Whoever was killed is buried by the next to come.
    checksum(stage.start(2, faults(steps)).wait());
    ck_assert_msg(stage.ranks().empty(), "the dead kept their slots");
}
END_TEST

START_TEST(a_rank_that_is_done_with_mpi_is_no_rank_any_more) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    Program program = stage.start(4, faults(endless, "linger"));
    await_ranks(stage, 4);
    const std::vector<pid_t> ranks = stage.ranks();
    tell_to_end(stage);
    await_ranks(stage, 0);
    ck_assert_msg(!program.has_ended(), "kept its slots to the end");
    for (const pid_t rank : ranks)
        kill(rank, SIGUSR2);
    checksum(program.wait());
}
END_TEST

// As under a debugger at a breakpoint.
START_TEST(a_traced_rank_holds_nobody_up) {
    Stage stage;
    fold(stage, both_queues[_i]);
    Program traced = stage.start(2, faults(endless));
    await_ranks(stage, 2);
    const pid_t rank = stage.ranks()[0];
    ck_assert(ptrace(PTRACE_ATTACH, rank, nullptr, nullptr) == 0);
    ck_assert(waitpid(rank, nullptr, __WALL) == rank);
    // With its turns lost to the traced one: one poll in patience_ns, twice the limit.
    checksum(stage.start(2, faults(120000)).wait());
    ck_assert(!traced.has_ended());
    ck_assert(ptrace(PTRACE_DETACH, rank, nullptr, nullptr) == 0);
    tell_to_end(stage);
    checksum(traced.wait());
}
END_TEST

// Whenever it stops, it has the turn, waits for it, or is about to take it.
START_TEST(a_rank_that_stops_and_goes_on_all_the_time_gets_on) {
    Stage stage;
    fold(stage, both_queues[_i]);
    Program program = stage.start(4, faults(endless));
    await_ranks(stage, 4);
    const std::vector<pid_t> ranks = stage.ranks();
    for (unsigned stops = 0; stops < 100; ++stops) {
        const pid_t rank = ranks[stops % ranks.size()];
        kill(rank, SIGSTOP);
        std::this_thread::sleep_for(7ms); // longer than patience_ns
        kill(rank, SIGCONT);
        std::this_thread::sleep_for(2ms);
    }
    tell_to_end(stage);
    checksum(program.wait());
}
END_TEST

void assert_gets_on(Stage &stage) {
    const std::uint64_t before = hand_overs(stage);
    ck_assert(comes_true([&] { return hand_overs(stage) > before + 10000; }));
}

START_TEST(files_that_vanish_hold_nobody_up) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    Program program = stage.start(4, faults(endless));
    await_ranks(stage, 4);
    ck_assert(unlink(stage.control_path().c_str()) == 0);
    ck_assert(shmctl(stage.runtime_id(), IPC_RMID, nullptr) == 0);
    assert_gets_on(stage);
    tell_to_end(stage);
    checksum(program.wait());
}
END_TEST

// The agent may be gone for ever in the middle of a change.
START_TEST(an_agent_that_dies_while_it_folds_holds_nobody_up) {
    Stage stage;
    Program program = stage.start(4, faults(endless));
    await_ranks(stage, 4);
    const auto is_folded = [&] {
        int folded = 0;
        for (const vmall_runtime_slot &slot : stage.runtime().slots)
            folded += slot.owner != 0 && slot.cpu_plus_1 != 0;
        return folded == 4;
    };
    // Ranks that never saw an allotment would run as without us: slowly.
    ck_assert(comes_true(is_folded));
    __atomic_fetch_add(&stage.control().sequence, 1, __ATOMIC_SEQ_CST);
    assert_gets_on(stage);
    tell_to_end(stage);
    checksum(program.wait());
}
END_TEST

// Every way a copy can be torn: odd, changed on the way, and odd for long.
START_TEST(an_agent_that_writes_all_the_time_holds_nobody_up) {
    Stage stage;
    const Cpus few{usable_cpus()[0]}, many{usable_cpus()[0], usable_cpus()[1]};
    stage.allot(few);
    Program program = stage.start(4, faults(endless));
    await_ranks(stage, 4);
    for (unsigned changes = 0; changes < 1000; ++changes) {
        __atomic_fetch_add(&stage.control().sequence, 1, __ATOMIC_SEQ_CST);
        stage.control().cpu_count = 60000; // nobody may believe it
        if (changes % 100 == 0)
            std::this_thread::sleep_for(20ms);
        __atomic_fetch_add(&stage.control().sequence, 1, __ATOMIC_SEQ_CST);
        stage.allot(changes % 2 == 0 ? many : few);
        std::this_thread::sleep_for(50us);
    }
    tell_to_end(stage);
    checksum(program.wait());
}
END_TEST

} // namespace

int main() {
    if (!can_be_staged(2))
        return skipped;
    TCase *tests = tcase_create("faults");
    tcase_add_loop_test(tests, a_rank_that_is_busy_elsewhere_does_no_harm, 0,
                        static_cast<int>(std::size(survivable)));
    tcase_add_test(tests, a_rank_that_stops_in_its_turn_loses_it);
    tcase_add_test(tests, nobody_polls_against_a_rank_that_slept_and_computes_again);
    tcase_add_loop_test(tests, a_program_that_breaks_off_ends_and_leaves_the_others_alone, 0,
                        static_cast<int>(std::size(fatal)));
    tcase_add_test(tests, a_rank_that_is_done_with_mpi_is_no_rank_any_more);
    tcase_add_loop_test(tests, a_traced_rank_holds_nobody_up, 0, 2);
    tcase_add_loop_test(tests, a_rank_that_stops_and_goes_on_all_the_time_gets_on, 0, 2);
    TCase *agent = tcase_create("agent");
    tcase_add_test(agent, files_that_vanish_hold_nobody_up);
    tcase_add_test(agent, an_agent_that_dies_while_it_folds_holds_nobody_up);
    tcase_add_test(agent, an_agent_that_writes_all_the_time_holds_nobody_up);
    return run("libvmrt and what goes astray", {tests, agent});
}
