// SPDX-License-Identifier: GPL-2.0-or-later
//
// Local and global run queues: who runs where, and that no turn gets lost between them.
#include "libvmrt/membership.hpp"
#include "libvmrt/shared_word.hpp"
#include "trial.hpp"

#include <algorithm>

using namespace vmall::runtime;
using namespace vmall::test;

namespace {

constexpr int ranks = 6;

void set_queues(Stage &stage, vmall_run_queues queues,
                vmall_next_rank next = VMALL_NEXT_ROUND_ROBIN) {
    const Cpus cpus = usable_cpus();
    stage.control().run_queues = queues;
    stage.control().next_rank = next;
    stage.allot({cpus[0], cpus[1]});
}

std::vector<std::string> send(long steps, long grain, long factor) {
    return {MPI_PROGRAMS "/send", std::to_string(steps), std::to_string(grain),
            std::to_string(factor), "1"};
}

START_TEST(every_rule_computes_what_it_should) {
    for (const vmall_run_queues queues : {VMALL_QUEUES_LOCAL, VMALL_QUEUES_GLOBAL}) {
        Stage stage;
        set_queues(stage, queues, static_cast<vmall_next_rank>(_i));
        run_right(stage, ranks, 300, 1);
        for (const std::size_t cpu : {0, 1})
            ck_assert_uint_gt(turns_given_on(stage, usable_cpus()[cpu]), 10);
    }
}
END_TEST

// How many ranks are seen on both CPUs for some time, or until all are.
int roaming(Stage &stage, std::chrono::milliseconds time) {
    const Cpus cpus = usable_cpus();
    std::uint32_t seen_on[ranks] = {};
    const auto count = [&] { return static_cast<int>(std::count(seen_on, seen_on + ranks, 3u)); };
    within(time, [&] {
        for (const vmall_runtime_slot &slot : stage.runtime().slots)
            if (slot.owner != 0 && slot.local_rank < ranks)
                for (const std::uint32_t cpu : {0u, 1u})
                    if (__atomic_load_n(&slot.ran_on_plus_1, __ATOMIC_RELAXED) == cpus[cpu] + 1u)
                        seen_on[slot.local_rank] |= 1u << cpu;
        return count() == ranks;
    });
    return count();
}

// A rank that has to go to its own CPU does so when it next gets a turn: a matter of the machine's
// load.
bool come_to_stay(Stage &stage) {
    return comes_true([&] { return roaming(stage, 500ms) == 0; });
}

START_TEST(ranks_run_anywhere_with_a_global_queue_only) {
    Stage stage;
    set_queues(stage, VMALL_QUEUES_LOCAL);
    Program program = stage.start(ranks, ring(endless, 100));
    await_ranks(stage, ranks);
    for (int round = 0; round < 2; ++round) {
        set_queues(stage, VMALL_QUEUES_LOCAL);
        ck_assert(come_to_stay(stage));
        set_queues(stage, VMALL_QUEUES_GLOBAL);
        ck_assert_int_eq(roaming(stage, limit), ranks);
    }
}
END_TEST

// They would drag each other from CPU to CPU.
START_TEST(a_rank_with_two_threads_in_mpi_stays) {
    Stage stage;
    set_queues(stage, VMALL_QUEUES_GLOBAL);
    Program program = stage.start(ranks, {MPI_PROGRAMS "/threads", std::to_string(endless), "50"});
    await_ranks(stage, ranks);
    ck_assert(comes_true([&] {
        int staying = 0;
        for (const vmall_runtime_slot &slot : stage.runtime().slots)
            staying += slot.owner != 0 && slot.stays != 0;
        return staying == ranks;
    }));
    ck_assert(come_to_stay(stage));
}
END_TEST

START_TEST(queues_that_change_all_the_time_lose_no_turn) {
    Stage stage;
    set_queues(stage, VMALL_QUEUES_GLOBAL);
    Program program = stage.start(ranks, ring(endless, 20));
    await_ranks(stage, ranks);
    for (int i = 0; i < 100; ++i) {
        set_queues(stage, static_cast<vmall_run_queues>(i % (VMALL_QUEUES_KERNEL + 1)),
                   static_cast<vmall_next_rank>(i / 2 % 4));
        std::this_thread::sleep_for(std::chrono::milliseconds(1 + i % 30));
    }
    set_queues(stage, VMALL_QUEUES_LOCAL);
    await_hand_overs_on_both(stage);
    tell_to_end(stage);
    assert_right(program.wait(), ranks, endless, 20);
}
END_TEST

START_TEST(a_global_queue_folds_and_unfolds) {
    Stage stage;
    const Cpus cpus = usable_cpus();
    stage.control().run_queues = VMALL_QUEUES_GLOBAL;
    Program program = stage.start(4, ring(endless, 20));
    await_ranks(stage, 4);
    for (int i = 0; i < 100; ++i) {
        stage.allot(i % 3 == 0   ? Cpus{cpus[0]}
                    : i % 3 == 1 ? Cpus{cpus[1], cpus[0]}
                                 : Cpus{cpus[1]});
        std::this_thread::sleep_for(std::chrono::milliseconds(1 + i % 40));
    }
    stage.allot({cpus[0], cpus[1]});
    await_hand_overs_on_both(stage);
    tell_to_end(stage);
    assert_right(program.wait(), 4, endless, 20);
}
END_TEST

// A rank that gets turns as the others do, and loses what it got: nobody is told.
class Loser {
  public:
    Loser(Stage &stage, std::uint16_t cpu)
        : page_(stage.runtime()), slot_(claim_slot(page_, this_process(), {0, 1})) {
        ck_assert(slot_ != no_slot);
        vmall_runtime_slot &slot = page_.slots[slot_];
        store(slot.turn_on_plus_1, 0u);
        store(slot.cpu_plus_1, cpu + 1u);
    }
    ~Loser() { free_slot(page_, slot_, this_process()); }
    Loser(const Loser &) = delete;
    Loser &operator=(const Loser &) = delete;

    bool lose_a_turn() {
        vmall_runtime_slot &slot = page_.slots[slot_];
        store(slot.state, std::uint32_t{VMALL_RUNTIME_RUNNING});
        const std::uint32_t on = load(slot.turn_on_plus_1);
        if (on == 0 || load(page_.queues[on - 1].token) != slot_ + 1)
            return false;
        lost_ = on - 1;
        store(slot.state, std::uint32_t{VMALL_RUNTIME_ABSENT}); // gets no other
        store(slot.turn_on_plus_1, 0u);
        return true;
    }
    bool somebody_took_it() const { return load(page_.queues[lost_].token) != slot_ + 1; }

  private:
    vmall_runtime_page &page_;
    std::uint32_t slot_, lost_ = 0;
};

// The ranks are busy enough on the other CPU that none ever loses its patience.
START_TEST(a_turn_that_got_lost_is_found) {
    Stage stage;
    set_queues(stage, VMALL_QUEUES_GLOBAL);
    Program program = stage.start(ranks, ring(endless, 20));
    await_ranks(stage, ranks);
    const std::uint16_t second = usable_cpus()[1]; // as a rank, this process may be moved
    for (int i = 0; i < 20; ++i) {
        Loser loser(stage, second);
        ck_assert(comes_true([&] { return loser.lose_a_turn(); }));
        ck_assert_msg(comes_true([&] { return loser.somebody_took_it(); }), "turn %d is lost", i);
    }
}
END_TEST

bool has_turn(Stage &stage, std::uint16_t cpu, std::uint32_t first_rank) {
    const std::uint32_t token =
        __atomic_load_n(&stage.runtime().queues[cpu].token, __ATOMIC_RELAXED);
    return token != 0 && stage.runtime().slots[token - 1].local_rank >= first_rank;
}

// Whether heavy ranks often have the turn on both CPUs.
bool is_shared_out(Stage &stage) {
    const Cpus cpus = usable_cpus();
    constexpr int samples = 200;
    int both_heavy = 0;
    for (int i = 0; i < samples; ++i) {
        both_heavy += has_turn(stage, cpus[0], 4) && has_turn(stage, cpus[1], 4);
        std::this_thread::sleep_for(2ms);
    }
    return both_heavy > samples / 4;
}

// The heavy half of the ranks is placed on one CPU.
START_TEST(a_global_queue_shares_out_uneven_work) {
    for (const vmall_run_queues queues : {VMALL_QUEUES_LOCAL, VMALL_QUEUES_GLOBAL}) {
        Stage stage;
        set_queues(stage, queues);
        Program program = stage.start(8, send(endless, 300, 20));
        await_ranks(stage, 8);
        if (queues == VMALL_QUEUES_GLOBAL)
            ck_assert(comes_true([&] { return is_shared_out(stage); }));
        else
            for (int i = 0; i < 3; ++i)
                ck_assert(!is_shared_out(stage));
    }
}
END_TEST

// Whether turns are left to the kernel, and every rank has heard of it.
bool yields(Stage &stage) {
    for (const vmall_runtime_slot &slot : stage.runtime().slots)
        if (load(slot.owner) != 0 && load(slot.cpu_plus_1) != 0)
            return false;
    return load(stage.runtime().run_queues) == VMALL_QUEUES_KERNEL;
}

START_TEST(both_ways_are_tried_and_ranks_come_back) {
    Stage stage;
    const Cpus cpus = usable_cpus(), both{cpus[0], cpus[1]};
    set_queues(stage, VMALL_QUEUES_DETECTED);
    Program program = stage.start(ranks, ring(endless, 20));
    await_ranks(stage, ranks);
    for (int i = 0; i < 2; ++i) {
        ck_assert(comes_true([&] { return yields(stage); }));
        await_hand_overs_on_both(stage);
    }
    set_queues(stage, VMALL_QUEUES_LOCAL);
    ck_assert(come_to_stay(stage));
    tell_to_end(stage);
    assert_right(program.wait(), ranks, endless, 20);
}
END_TEST

} // namespace

int main() {
    if (!can_be_staged(2))
        return skipped;
    TCase *tests = tcase_create("queues");
    tcase_add_loop_test(tests, every_rule_computes_what_it_should, 0, 4);
    tcase_add_test(tests, ranks_run_anywhere_with_a_global_queue_only);
    tcase_add_test(tests, a_rank_with_two_threads_in_mpi_stays);
    tcase_add_test(tests, queues_that_change_all_the_time_lose_no_turn);
    tcase_add_test(tests, a_global_queue_folds_and_unfolds);
    tcase_add_test(tests, a_turn_that_got_lost_is_found);
    tcase_add_test(tests, a_global_queue_shares_out_uneven_work);
    tcase_add_test(tests, both_ways_are_tried_and_ranks_come_back);
    return run("libvmrt queues", tests);
}
