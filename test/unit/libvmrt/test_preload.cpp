// SPDX-License-Identifier: GPL-2.0-or-later
//
// Unmodified MPI programs under the preloaded runtime, while allotments change and things go wrong.
#include "trial.hpp"

#include <csignal>
#include <random>
#include <sstream>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace vmall::test;

namespace {

void fill_with_garbage(void *memory, std::size_t bytes) {
    std::mt19937 random(bytes);
    auto *words = static_cast<std::uint32_t *>(memory);
    for (std::size_t i = 0; i < bytes / sizeof *words; ++i)
        words[i] = random() >> random() % 32;
}

void assert_untouched(Stage &stage) {
    ck_assert_msg(stage.runtime().magic == 0, "somebody wrote into the runtime page");
}

// Every thread must follow.
void fold_and_unfold(int ranks) {
    Stage stage;
    const Cpus cpus = usable_cpus();
    const Cpus few{cpus[0]}, many{cpus[0], cpus[1]};
    stage.allot(few);
    Program program = stage.start(ranks, ring(endless, 1));
    await_ranks(stage, static_cast<std::size_t>(ranks));
    const std::vector<pid_t> processes = stage.ranks();
    for (int changes = 0; changes < 20; ++changes) {
        const Cpus &target = changes % 2 == 0 ? few : many;
        stage.allot(target);
        ck_assert_msg(comes_true([&] { return all_inside(processes, target); }),
                      "change %d: a thread is outside the allotment", changes);
        // With a CPU for each the ranks may use them all.
        if (static_cast<std::size_t>(ranks) <= target.size())
            ck_assert_msg(comes_true([&] { return !runs_inside(processes[0], few); }),
                          "change %d: a rank stayed where it was folded", changes);
        std::this_thread::sleep_for(30ms);
    }
    tell_to_end(stage);
    assert_right(program.wait(), ranks, endless, 1);
}

START_TEST(the_stock_program_computes_what_we_expect) {
    assert_right(Stage::start_stock(2, ring(200, 1)).wait(), 2, 200, 1);
}
END_TEST

START_TEST(four_ranks_fold_from_two_cpus_to_one_and_back) {
    fold_and_unfold(4);
}
END_TEST

START_TEST(two_ranks_fold_and_are_free_again) {
    fold_and_unfold(2);
}
END_TEST

START_TEST(folded_ranks_hand_their_cpu_over) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    run_right(stage, 4, 5000, 1);
    // The first steps may be over before the ranks have places.
    ck_assert_msg(hand_overs(stage) > 100, "%llu hand-overs",
                  static_cast<unsigned long long>(hand_overs(stage)));
    ck_assert_msg(stage.ranks().empty(), "a rank that ended kept its slot");
}
END_TEST

// How often the ranks yielded by themselves while one of them slept for a second.
unsigned long yields(const Stage &stage) {
    const Outcome outcome =
        stage
            .start_task({MPIEXEC, "-n", "4", MPI_PROGRAMS "/faults", "100", "1", "sleep"},
                        MPI_PROGRAMS "/profiler.so:" + libvmrt)
            .wait();
    ck_assert_msg(outcome.succeeded(), "hung %d status %d output: %s", outcome.hung, outcome.status,
                  outcome.output.c_str());
    unsigned long sum = 0;
    std::istringstream lines(outcome.output);
    for (std::string line; std::getline(lines, line);) {
        unsigned long one = 0;
        if (std::sscanf(line.c_str(), "yielded=%lu", &one) == 1)
            sum += one;
    }
    return sum;
}

START_TEST(overclaimed_cpus_are_yielded) {
    Stage stage;
    const Cpus few{usable_cpus()[0]};
    stage.allot(few);
    ck_assert_uint_eq(yields(stage), 0);
    stage.allot(few, VMALL_CONTROL_OVERCLAIMED);
    ck_assert_uint_gt(yields(stage), 0);
}
END_TEST

START_TEST(two_programs_of_a_job_share_its_cpu) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    Program first = stage.start(2, ring(endless, 1));
    await_ranks(stage, 2);
    Program second = stage.start(2, ring(endless, 1));
    await_ranks(stage, 4);
    // Slots 0 and 1 are the first program's. Who only waits for the other to sleep gets few turns.
    const std::uint32_t *token = &stage.runtime().queues[usable_cpus()[0]].token;
    int turns = 0, to_the_other = 0;
    for (std::uint32_t last = 0; turns < 2000;)
        if (const std::uint32_t now = __atomic_load_n(token, __ATOMIC_RELAXED);
            now != 0 && now != last) {
            ++turns;
            to_the_other += (now > 2) != (last > 2);
            last = now;
        }
    ck_assert_msg(to_the_other > turns / 10, "%d of %d turns", to_the_other, turns);
    tell_to_end(stage);
    assert_right(first.wait(), 2, endless, 1);
    assert_right(second.wait(), 2, endless, 1);
}
END_TEST

START_TEST(every_language_runs_folded) {
    const std::vector<std::vector<std::string>> commands = {{MPI_PROGRAMS "/cg", "40", "20"},
                                                            {MPI_PROGRAMS "/wavefront", "400"},
                                                            {MPI_PROGRAMS "/heat", "1000", "50"},
                                                            {MPI_PROGRAMS "/power", "100", "20"}};
    Stage stage;
    const auto &command = commands[static_cast<std::size_t>(_i)];
    const Outcome wide = stage.start(4, command).wait();
    stage.allot({usable_cpus()[0]});
    const Outcome folded = stage.start(4, command).wait();
    ck_assert_text(checksum(folded), checksum(wide));
}
END_TEST

START_TEST(a_runtime_page_of_garbage_is_left_alone) {
    Stage stage;
    const std::uint32_t pid_namespace = stage.runtime().pid_namespace;
    fill_with_garbage(&stage.runtime(), VMALL_RUNTIME_BYTES);
    stage.runtime().pid_namespace = pid_namespace;
    const std::uint64_t owner = stage.runtime().slots[7].owner;
    run_right(stage, 2, 200, 1);
    ck_assert(stage.runtime().slots[7].owner == owner);
}
END_TEST

START_TEST(garbage_behind_a_good_header_is_survived) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    const std::uint32_t pid_namespace = stage.runtime().pid_namespace;
    fill_with_garbage(&stage.runtime(), VMALL_RUNTIME_BYTES);
    stage.runtime().magic = VMALL_RUNTIME_MAGIC;
    stage.runtime().version = VMALL_RUNTIME_VERSION;
    stage.runtime().size = sizeof(vmall_runtime_page);
    stage.runtime().pid_namespace = pid_namespace;
    run_right(stage, 4, 1000, 1);
}
END_TEST

// What an enemy of his own job would write: anywhere in the page, and with preference where it
// hurts, the words that ranks of one CPU take their turns by.
void write_garbage(vmall_runtime_page &page, std::mt19937 &random) {
    auto *words = reinterpret_cast<std::uint32_t *>(&page);
    constexpr std::size_t word = sizeof *words, all = sizeof page / word;
    constexpr std::size_t slots = offsetof(vmall_runtime_page, slots) / word;
    constexpr std::size_t few_slots = 8 * sizeof(vmall_runtime_slot) / word;
    const std::size_t token = offsetof(vmall_runtime_page, queues) / word +
                              usable_cpus()[0] * sizeof(vmall_runtime_queue) / word;
    for (const std::size_t where : {slots + random() % few_slots, token, random() % all})
        __atomic_store_n(&words[where], random() >> random() % 32, __ATOMIC_SEQ_CST);
}

// Each kind of queue with each number of CPUs, and rules by which turns are taken.
START_TEST(garbage_written_all_the_time_is_survived) {
    std::mt19937 random(static_cast<unsigned>(_i));
    const auto which = static_cast<std::uint32_t>(_i);
    Stage stage;
    stage.control().next_rank = which % (VMALL_NEXT_SENDER + 1);
    stage.control().run_queues = which % (VMALL_QUEUES_DETECTED + 1);
    stage.allot(which % 2 == 0 ? Cpus{usable_cpus()[0]} : usable_cpus());
    Program program = stage.start(4, ring(200, 1));
    while (!program.has_ended()) {
        write_garbage(stage.runtime(), random);
        std::this_thread::sleep_for(100us);
    }
    assert_right(program.wait(), 4, 200, 1);
}
END_TEST

START_TEST(a_stopped_rank_does_not_stop_the_others_of_its_cpu) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    Program stopped = stage.start(2, ring(endless, 1));
    await_ranks(stage, 2);
    const std::vector<pid_t> ranks = stage.ranks();
    ck_assert(kill(ranks[0], SIGSTOP) == 0);
    // Were the stopped rank left its turn, the others would poll once in patience_ns:
    // twice the limit.
    run_right(stage, 2, 120000, 1);
    ck_assert(!stopped.has_ended());
    ck_assert(kill(ranks[0], SIGCONT) == 0);
    tell_to_end(stage);
    assert_right(stopped.wait(), 2, endless, 1);
}
END_TEST

START_TEST(a_killed_rank_ends_its_program_and_leaves_a_usable_page) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    Program killed = stage.start(4, ring(endless, 1));
    await_ranks(stage, 4);
    ck_assert(kill(stage.ranks()[1], SIGKILL) == 0);
    const Outcome outcome = killed.wait();
    ck_assert_msg(!outcome.hung && outcome.status != 0, "status %d", outcome.status);
    run_right(stage, 4, 2000, 1);
    ck_assert_msg(stage.ranks().empty(), "the dead kept their slots");
}
END_TEST

void change_page(const Stage &stage, uid_t owner, unsigned short mode) {
    shmid_ds status{};
    status.shm_perm.uid = owner;
    status.shm_perm.mode = mode;
    ck_assert(shmctl(stage.runtime_id(), IPC_SET, &status) == 0);
}

START_TEST(without_a_runtime_page_the_program_runs_as_usual) {
    Stage stage;
    ck_assert(shmctl(stage.runtime_id(), IPC_RMID, nullptr) == 0);
    run_right(stage, 2, 200, 1);
    assert_untouched(stage);
}
END_TEST

// As in a container: there the key is nobody's, or another page's.
START_TEST(a_rank_with_ipc_objects_of_its_own_stays_out) {
    if (!can_unshare({"--ipc"}))
        return;
    Stage stage;
    Program program = stage.start_task(
        unshared({"--ipc"}, {MPIEXEC, "-n", "2", MPI_PROGRAMS "/ring", "200", "1"}));
    assert_right(program.wait(), 2, 200, 1);
    assert_untouched(stage);
}
END_TEST

START_TEST(a_runtime_page_open_to_others_is_refused) {
    Stage stage;
    change_page(stage, 0, 0660);
    run_right(stage, 2, 200, 1);
    assert_untouched(stage);
}
END_TEST

START_TEST(a_runtime_page_of_somebody_else_is_refused) {
    Stage stage;
    change_page(stage, 65534, 0600);
    run_right(stage, 2, 200, 1);
    assert_untouched(stage);
}
END_TEST

START_TEST(a_control_block_of_somebody_else_is_refused) {
    Stage stage;
    ck_assert(chown(stage.control_path().c_str(), 65534, 65534) == 0);
    run_right(stage, 2, 200, 1);
    ck_assert(stage.ranks().empty());
    for (const vmall_runtime_slot &slot : stage.runtime().slots)
        ck_assert(slot.local_size == 0);
}
END_TEST

struct Nonsense {
    const char *field;
    std::uint32_t vmall_control_block::*at;
    std::uint32_t value;
};

const Nonsense nonsense[] = {
    {"magic", &vmall_control_block::magic, 1},
    {"version", &vmall_control_block::version, 99},
    {"no CPU", &vmall_control_block::cpu_count, 0},
    {"too many CPUs", &vmall_control_block::cpu_count, VMALL_CONTROL_MAX_CPUS + 1},
    {"coscheduling", &vmall_control_block::coscheduling, VMALL_COSCHEDULING_NONE + 1},
    {"next rank", &vmall_control_block::next_rank, VMALL_NEXT_SENDER + 1},
    {"queues", &vmall_control_block::run_queues, VMALL_QUEUES_DETECTED + 1},
    {"no CPU per rank", &vmall_control_block::cpus_per_rank, 0},
    {"too many per rank", &vmall_control_block::cpus_per_rank, VMALL_CONTROL_MAX_CPUS + 1},
    {"no node", &vmall_control_block::node_count, 0},
};

void assert_not_followed(Stage &stage, const char *why) {
    run_right(stage, 2, 200, 1);
    for (const vmall_runtime_slot &slot : stage.runtime().slots)
        ck_assert_msg(slot.asleep_ns == 0, "%s: followed", why);
}

START_TEST(a_control_block_that_makes_no_sense_is_not_followed) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    stage.control().*nonsense[_i].at = nonsense[_i].value;
    assert_not_followed(stage, nonsense[_i].field);
}
END_TEST

START_TEST(an_allotment_with_an_impossible_cpu_is_not_followed) {
    Stage stage;
    stage.allot({60000});
    assert_not_followed(stage, "CPU 60000");
}
END_TEST

START_TEST(an_agent_that_died_while_writing_does_not_hold_anybody_up) {
    Stage stage;
    stage.control().sequence |= 1;
    run_right(stage, 2, 200, 1);
}
END_TEST

START_TEST(programs_without_mpi_are_not_touched) {
    Stage stage;
    for (const std::vector<std::string> &command :
         {std::vector<std::string>{"/bin/true"}, {"/bin/sh", "-c", "/bin/true | /bin/cat"}})
        ck_assert(stage.start(1, command).wait().succeeded());
    assert_untouched(stage);
}
END_TEST

struct BoundThread {
    const char *what;
    std::size_t to; // of the usable CPUs, the first of which is allotted
    std::uint32_t mpl;
    std::size_t runs_on;
};

const BoundThread bound_threads[] = {
    {"to a CPU that a folded job has", 0, 2, 0},
    {"to one that it has not", 1, 2, 0},
    {"to one that a job has not that is not folded", 1, 1, 1},
};

START_TEST(a_thread_that_is_bound_to_what_a_fold_took_starts_all_the_same) {
    const BoundThread &row = bound_threads[_i];
    const Cpus cpus = usable_cpus();
    Stage stage;
    stage.allot({cpus[0]}, 0, row.mpl);
    const Outcome outcome =
        stage.start_task({MPI_PROGRAMS "/bound_thread", std::to_string(cpus[row.to])}).wait();
    ck_assert_msg(outcome.output == "may run on " + std::to_string(cpus[row.runs_on]) + "\n",
                  "%s: %s", row.what, outcome.output.c_str());
}
END_TEST

START_TEST(a_rank_behind_a_shell_folds_too) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    const Outcome outcome =
        stage.start(4, {"/bin/sh", "-c", MPI_PROGRAMS "/ring 2000 1; exit $?"}).wait();
    assert_right(outcome, 4, 2000, 1);
}
END_TEST

} // namespace

int main() {
    if (!can_be_staged(2))
        return skipped;
    TCase *tests = tcase_create("preload");
    tcase_add_test(tests, the_stock_program_computes_what_we_expect);
    tcase_add_test(tests, four_ranks_fold_from_two_cpus_to_one_and_back);
    tcase_add_test(tests, two_ranks_fold_and_are_free_again);
    tcase_add_test(tests, folded_ranks_hand_their_cpu_over);
    tcase_add_test(tests, overclaimed_cpus_are_yielded);
    tcase_add_test(tests, two_programs_of_a_job_share_its_cpu);
    tcase_add_loop_test(tests, every_language_runs_folded, 0, 4);
    tcase_add_test(tests, a_runtime_page_of_garbage_is_left_alone);
    tcase_add_test(tests, garbage_behind_a_good_header_is_survived);
    tcase_add_loop_test(tests, garbage_written_all_the_time_is_survived, 0, 12);
    tcase_add_test(tests, a_stopped_rank_does_not_stop_the_others_of_its_cpu);
    tcase_add_test(tests, a_killed_rank_ends_its_program_and_leaves_a_usable_page);
    tcase_add_test(tests, without_a_runtime_page_the_program_runs_as_usual);
    tcase_add_test(tests, a_rank_with_ipc_objects_of_its_own_stays_out);
    tcase_add_test(tests, a_runtime_page_open_to_others_is_refused);
    tcase_add_test(tests, a_runtime_page_of_somebody_else_is_refused);
    tcase_add_test(tests, a_control_block_of_somebody_else_is_refused);
    tcase_add_loop_test(tests, a_control_block_that_makes_no_sense_is_not_followed, 0,
                        static_cast<int>(std::size(nonsense)));
    tcase_add_test(tests, an_allotment_with_an_impossible_cpu_is_not_followed);
    tcase_add_test(tests, an_agent_that_died_while_writing_does_not_hold_anybody_up);
    tcase_add_test(tests, programs_without_mpi_are_not_touched);
    tcase_add_loop_test(tests, a_thread_that_is_bound_to_what_a_fold_took_starts_all_the_same, 0,
                        static_cast<int>(std::size(bound_threads)));
    tcase_add_test(tests, a_rank_behind_a_shell_folds_too);
    return run("libvmrt preloaded", tests);
}
