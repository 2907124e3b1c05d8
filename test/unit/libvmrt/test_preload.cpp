// SPDX-License-Identifier: GPL-2.0-or-later
//
// Unmodified MPI programs under the preloaded runtime, while allotments change and things go wrong.
#include "../../mpi/work.h"
#include "run.hpp"
#include "stage.hpp"

#include <csignal>
#include <cstdio>
#include <random>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace std::chrono_literals;
using namespace vmall::test;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int skipped = 77; // Automake's word for it
constexpr auto limit = 50s;

// What `ring` computes, one rank after the other.
std::string ring_checksum(int ranks, long steps, long grain) {
    const auto count = static_cast<std::size_t>(ranks);
    std::vector<std::uint64_t> values(count), sent(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = i + 1;
    for (long step = 0; step < steps; ++step) {
        for (std::size_t i = 0; i < count; ++i)
            sent[i] = work(values[i], grain);
        for (std::size_t i = 0; i < count; ++i)
            values[i] = sent[i] * 31 + sent[(i + count - 1) % count];
    }
    double sum = 0;
    for (const std::uint64_t value : values)
        sum += digest(value);
    char text[64];
    std::snprintf(text, sizeof text, "checksum=%.17g ", sum);
    return text;
}

std::vector<std::string> ring(long steps, long grain) {
    return {MPI_PROGRAMS "/ring", std::to_string(steps), std::to_string(grain)};
}

void assert_right(const Outcome &outcome, int ranks, long steps, long grain) {
    ck_assert_msg(outcome.succeeded(), "hung %d status %d output: %s", outcome.hung, outcome.status,
                  outcome.output.c_str());
    ck_assert_contains(outcome.output, ring_checksum(ranks, steps, grain));
}

void run_right(const Stage &stage, int ranks, long steps, long grain) {
    assert_right(stage.start(ranks, ring(steps, grain)).wait(limit), ranks, steps, grain);
}

template <typename Condition>
bool within(std::chrono::milliseconds time, Condition condition) {
    for (const auto deadline = Clock::now() + time; Clock::now() < deadline;) {
        if (condition())
            return true;
        std::this_thread::sleep_for(2ms);
    }
    return condition();
}

void await_ranks(const Stage &stage, std::size_t count) {
    ck_assert_msg(within(20s, [&] { return stage.ranks().size() == count; }),
                  "%zu of %zu ranks attached", stage.ranks().size(), count);
}

void fill_with_garbage(void *memory, std::size_t bytes) {
    std::mt19937 random(bytes);
    auto *words = static_cast<std::uint32_t *>(memory);
    for (std::size_t i = 0; i < bytes / sizeof *words; ++i)
        words[i] = random() >> random() % 32;
}

void assert_untouched(Stage &stage) {
    ck_assert_msg(stage.runtime().magic == 0, "somebody wrote into the runtime page");
}

bool all_inside(const std::vector<pid_t> &ranks, const Cpus &cpus) {
    for (const pid_t rank : ranks)
        if (!runs_inside(rank, cpus))
            return false;
    return true;
}

// Folds and unfolds until the program ends; every thread must follow within a second.
void fold_and_unfold(int ranks, long steps) {
    Stage stage;
    const Cpus cpus = usable_cpus();
    const Cpus few{cpus[0]}, many{cpus[0], cpus[1]};
    stage.allot(few);
    Program program = stage.start(ranks, ring(steps, 1));
    await_ranks(stage, static_cast<std::size_t>(ranks));
    const std::vector<pid_t> processes = stage.ranks();
    int changes = 0;
    while (!program.has_ended()) {
        const Cpus &target = changes % 2 == 0 ? few : many;
        stage.allot(target);
        ck_assert_msg(within(1s, [&] { return all_inside(processes, target); }),
                      "change %d: a thread is outside the allotment", changes);
        // With a CPU for each the ranks may use them all.
        if (static_cast<std::size_t>(ranks) <= target.size())
            ck_assert_msg(
                within(1s, [&] { return program.has_ended() || !runs_inside(processes[0], few); }),
                "change %d: a rank stayed where it was folded", changes);
        std::this_thread::sleep_for(30ms);
        ++changes;
    }
    ck_assert_msg(changes >= 4, "ended after %d changes: nothing was tried", changes);
    assert_right(program.wait(limit), ranks, steps, 1);
}

START_TEST(the_stock_program_computes_what_we_expect) {
    assert_right(Stage::start_stock(2, ring(200, 1)).wait(limit), 2, 200, 1);
}
END_TEST

START_TEST(four_ranks_fold_from_two_cpus_to_one_and_back) {
    fold_and_unfold(4, 60000);
}
END_TEST

START_TEST(two_ranks_fold_and_are_free_again) {
    fold_and_unfold(2, 100000);
}
END_TEST

START_TEST(folded_ranks_share_by_hand_off) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    run_right(stage, 4, 2000, 1);
    std::uint64_t switches = 0;
    for (const vmall_runtime_slot &slot : stage.runtime().slots)
        switches += slot.switches;
    ck_assert_msg(switches > 2000, "%llu hand-offs", static_cast<unsigned long long>(switches));
    ck_assert_msg(stage.ranks().empty(), "a rank that ended kept its slot");
}
END_TEST

START_TEST(overclaimed_cpus_are_yielded) {
    Stage stage;
    stage.allot({usable_cpus()[0]}, VMALL_CONTROL_OVERCLAIMED);
    run_right(stage, 4, 2000, 1);
}
END_TEST

START_TEST(two_programs_of_a_job_share_its_cpu) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    Program first = stage.start(2, ring(5000, 1)), second = stage.start(2, ring(5000, 1));
    assert_right(first.wait(limit), 2, 5000, 1);
    assert_right(second.wait(limit), 2, 5000, 1);
}
END_TEST

START_TEST(every_language_runs_folded) {
    const std::vector<std::vector<std::string>> commands = {{MPI_PROGRAMS "/cg", "40", "20"},
                                                            {MPI_PROGRAMS "/wavefront", "400"},
                                                            {MPI_PROGRAMS "/heat", "1000", "50"},
                                                            {MPI_PROGRAMS "/power", "100", "20"}};
    Stage stage;
    const auto checksum = [](const std::string &output) {
        const std::size_t start = output.find("checksum="), end = output.find(" seconds");
        ck_assert_msg(start < end && end != std::string::npos, "no checksum: %s", output.c_str());
        return output.substr(start, end - start);
    };
    const auto &command = commands[static_cast<std::size_t>(_i)];
    const Outcome wide = stage.start(4, command).wait(limit);
    stage.allot({usable_cpus()[0]});
    const Outcome folded = stage.start(4, command).wait(limit);
    ck_assert(wide.succeeded() && folded.succeeded());
    ck_assert_text(checksum(folded.output), checksum(wide.output));
}
END_TEST

START_TEST(a_runtime_page_of_garbage_is_left_alone) {
    Stage stage;
    fill_with_garbage(&stage.runtime(), VMALL_RUNTIME_MINIMUM_BYTES);
    const std::uint64_t owner = stage.runtime().slots[7].owner;
    run_right(stage, 2, 200, 1);
    ck_assert(stage.runtime().slots[7].owner == owner);
}
END_TEST

START_TEST(garbage_behind_a_good_header_is_survived) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    fill_with_garbage(&stage.runtime(), VMALL_RUNTIME_MINIMUM_BYTES);
    stage.runtime().magic = VMALL_RUNTIME_MAGIC;
    stage.runtime().version = VMALL_RUNTIME_VERSION;
    stage.runtime().size = sizeof(vmall_runtime_page);
    run_right(stage, 4, 1000, 1);
}
END_TEST

START_TEST(garbage_written_all_the_time_is_survived) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    Program program = stage.start(4, ring(200, 1));
    std::mt19937 random(1);
    auto *words = reinterpret_cast<std::uint32_t *>(&stage.runtime());
    constexpr std::size_t first = offsetof(vmall_runtime_page, slots) / sizeof(std::uint32_t);
    constexpr std::size_t few_slots = 8 * sizeof(vmall_runtime_slot) / sizeof(std::uint32_t);
    const std::size_t token =
        offsetof(vmall_runtime_page, queues[0]) / sizeof(std::uint32_t) +
        usable_cpus()[0] * sizeof(vmall_runtime_queue) / sizeof(std::uint32_t);
    while (!program.has_ended()) {
        __atomic_store_n(&words[first + random() % few_slots], random() >> random() % 32,
                         __ATOMIC_SEQ_CST);
        __atomic_store_n(&words[token], random() >> random() % 32, __ATOMIC_SEQ_CST);
        std::this_thread::sleep_for(100us);
    }
    assert_right(program.wait(limit), 4, 200, 1);
}
END_TEST

START_TEST(a_stopped_rank_does_not_stop_the_others_of_its_cpu) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    Program stopped = stage.start(2, ring(30000, 1));
    await_ranks(stage, 2);
    const std::vector<pid_t> ranks = stage.ranks();
    ck_assert(kill(ranks[0], SIGSTOP) == 0);
    // Were the stopped rank left its turn, the others would poll once in RunQueue::patience_ns: 25
    // s.
    assert_right(stage.start(2, ring(5000, 1)).wait(12s), 2, 5000, 1);
    ck_assert(!stopped.has_ended());
    ck_assert(kill(ranks[0], SIGCONT) == 0);
    assert_right(stopped.wait(limit), 2, 30000, 1);
}
END_TEST

START_TEST(a_killed_rank_ends_its_program_and_leaves_a_usable_page) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    Program killed = stage.start(4, ring(100000000, 1));
    await_ranks(stage, 4);
    ck_assert(kill(stage.ranks()[1], SIGKILL) == 0);
    const Outcome outcome = killed.wait(limit);
    ck_assert_msg(!outcome.hung && outcome.status != 0, "status %d", outcome.status);
    run_right(stage, 4, 2000, 1);
    ck_assert_msg(stage.ranks().empty(), "the dead kept their slots");
}
END_TEST

START_TEST(without_a_runtime_page_the_program_runs_as_usual) {
    Stage stage;
    ck_assert(unlink(stage.runtime_path().c_str()) == 0);
    run_right(stage, 2, 200, 1);
}
END_TEST

START_TEST(a_runtime_page_open_to_others_is_refused) {
    Stage stage;
    ck_assert(chmod(stage.runtime_path().c_str(), 0660) == 0);
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

START_TEST(a_control_block_that_makes_no_sense_is_not_followed) {
    struct {
        std::uint32_t magic, version, cpu_count;
        std::uint16_t cpu;
    } const blocks[] = {{1, VMALL_CONTROL_VERSION, 1, 0},
                        {VMALL_CONTROL_MAGIC, 99, 1, 0},
                        {VMALL_CONTROL_MAGIC, VMALL_CONTROL_VERSION, 0, 0},
                        {VMALL_CONTROL_MAGIC, VMALL_CONTROL_VERSION, 4096, 0},
                        {VMALL_CONTROL_MAGIC, VMALL_CONTROL_VERSION, 1, 60000}};
    Stage stage;
    stage.control().magic = blocks[_i].magic;
    stage.control().version = blocks[_i].version;
    stage.control().cpu_count = blocks[_i].cpu_count;
    stage.control().cpus[0] = blocks[_i].cpu;
    run_right(stage, 2, 200, 1);
    for (const vmall_runtime_slot &slot : stage.runtime().slots)
        ck_assert(slot.waits == 0);
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
        ck_assert(stage.start(1, command).wait(limit).succeeded());
    assert_untouched(stage);
}
END_TEST

START_TEST(a_rank_behind_a_shell_folds_too) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    const Outcome outcome =
        stage.start(4, {"/bin/sh", "-c", MPI_PROGRAMS "/ring 2000 1; exit $?"}).wait(limit);
    assert_right(outcome, 4, 2000, 1);
}
END_TEST

} // namespace

int main() {
    if (geteuid() != 0 || usable_cpus().size() < 2) {
        std::puts("skipped: needs root (for the control block) and two CPUs");
        return skipped;
    }
    TCase *tests = tcase_create("preload");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, the_stock_program_computes_what_we_expect);
    tcase_add_test(tests, four_ranks_fold_from_two_cpus_to_one_and_back);
    tcase_add_test(tests, two_ranks_fold_and_are_free_again);
    tcase_add_test(tests, folded_ranks_share_by_hand_off);
    tcase_add_test(tests, overclaimed_cpus_are_yielded);
    tcase_add_test(tests, two_programs_of_a_job_share_its_cpu);
    tcase_add_loop_test(tests, every_language_runs_folded, 0, 4);
    tcase_add_test(tests, a_runtime_page_of_garbage_is_left_alone);
    tcase_add_test(tests, garbage_behind_a_good_header_is_survived);
    tcase_add_test(tests, garbage_written_all_the_time_is_survived);
    tcase_add_test(tests, a_stopped_rank_does_not_stop_the_others_of_its_cpu);
    tcase_add_test(tests, a_killed_rank_ends_its_program_and_leaves_a_usable_page);
    tcase_add_test(tests, without_a_runtime_page_the_program_runs_as_usual);
    tcase_add_test(tests, a_runtime_page_open_to_others_is_refused);
    tcase_add_test(tests, a_control_block_of_somebody_else_is_refused);
    tcase_add_loop_test(tests, a_control_block_that_makes_no_sense_is_not_followed, 0, 5);
    tcase_add_test(tests, an_agent_that_died_while_writing_does_not_hold_anybody_up);
    tcase_add_test(tests, programs_without_mpi_are_not_touched);
    tcase_add_test(tests, a_rank_behind_a_shell_folds_too);
    return run("libvmrt preloaded", tests);
}
