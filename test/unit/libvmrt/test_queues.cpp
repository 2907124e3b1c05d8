// SPDX-License-Identifier: GPL-2.0-or-later
//
// The run queues of places, and the kernel's: who runs where, and that no turn gets lost between
// them.
#include "libvmrt/membership.hpp"
#include "libvmrt/shared_word.hpp"
#include "trial.hpp"

#include <sched.h>

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

START_TEST(every_rule_computes_what_it_should) {
    Stage stage;
    set_queues(stage, VMALL_QUEUES_LOCAL, static_cast<vmall_next_rank>(_i));
    run_right(stage, ranks, 300, 1);
    for (const std::size_t cpu : {0, 1})
        ck_assert_uint_gt(turns_given_on(stage, usable_cpus()[cpu]), 10);
}
END_TEST

// Whether each rank is bound to one CPU.
bool have_places(Stage &stage) {
    for (const pid_t rank : stage.ranks()) {
        cpu_set_t set;
        if (sched_getaffinity(rank, sizeof set, &set) != 0 || CPU_COUNT(&set) != 1)
            return false;
    }
    return true;
}

START_TEST(queues_that_change_all_the_time_lose_no_turn) {
    Stage stage;
    set_queues(stage, VMALL_QUEUES_LOCAL);
    Program program = stage.start(ranks, ring(endless, 20));
    await_ranks(stage, ranks);
    for (int i = 0; i < 100; ++i) {
        set_queues(stage, static_cast<vmall_run_queues>(i % (VMALL_QUEUES_DETECTED + 1)),
                   static_cast<vmall_next_rank>(i / 2 % (VMALL_NEXT_SENDER + 1)));
        std::this_thread::sleep_for(std::chrono::milliseconds(1 + i % 30));
    }
    set_queues(stage, VMALL_QUEUES_LOCAL);
    await_hand_overs_on_both(stage);
    tell_to_end(stage);
    assert_right(program.wait(), ranks, endless, 20);
}
END_TEST

START_TEST(the_kernels_queues_fold_and_unfold) {
    Stage stage;
    const Cpus cpus = usable_cpus();
    stage.control().run_queues = VMALL_QUEUES_KERNEL;
    Program program = stage.start(4, ring(endless, 20));
    await_ranks(stage, 4);
    for (int i = 0; i < 100; ++i) {
        stage.allot(i % 3 == 0   ? Cpus{cpus[0]}
                    : i % 3 == 1 ? Cpus{cpus[1], cpus[0]}
                                 : Cpus{cpus[1]});
        std::this_thread::sleep_for(std::chrono::milliseconds(1 + i % 40));
    }
    set_queues(stage, VMALL_QUEUES_LOCAL);
    await_hand_overs_on_both(stage);
    tell_to_end(stage);
    assert_right(program.wait(), 4, endless, 20);
}
END_TEST

// A rank that gets turns as the others do, and loses what it got: nobody is told.
class Loser {
  public:
    explicit Loser(Stage &stage)
        : page_(stage.runtime()), slot_(claim_slot(page_, this_process(), {0, 1})) {
        ck_assert(slot_ != no_slot);
        std::vector<Member> members(VMALL_RUNTIME_SLOTS);
        Place where;
        ck_assert(place(members.data(), list_members(page_, members.data()), slot_, {2, 1}, where));
        vmall_runtime_slot &slot = page_.slots[slot_];
        store(slot.turn_on_plus_1, 0u);
        store(slot.cpu_plus_1, usable_cpus()[where.first_cpu] + 1u);
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

START_TEST(a_turn_that_got_lost_is_found) {
    Stage stage;
    set_queues(stage, VMALL_QUEUES_LOCAL);
    Program program = stage.start(ranks, ring(endless, 20));
    await_ranks(stage, ranks);
    for (int i = 0; i < 20; ++i) {
        Loser loser(stage);
        ck_assert(comes_true([&] { return loser.lose_a_turn(); }));
        ck_assert_msg(comes_true([&] { return loser.somebody_took_it(); }), "turn %d is lost", i);
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
    ck_assert(comes_true([&] { return have_places(stage); }));
    tell_to_end(stage);
    assert_right(program.wait(), ranks, endless, 20);
}
END_TEST

} // namespace

int main() {
    if (!can_be_staged(2))
        return skipped;
    TCase *tests = tcase_create("queues");
    tcase_add_loop_test(tests, every_rule_computes_what_it_should, 0, VMALL_NEXT_SENDER + 1);
    tcase_add_test(tests, queues_that_change_all_the_time_lose_no_turn);
    tcase_add_test(tests, the_kernels_queues_fold_and_unfold);
    tcase_add_test(tests, a_turn_that_got_lost_is_found);
    tcase_add_test(tests, both_ways_are_tried_and_ranks_come_back);
    return run("libvmrt queues", tests);
}
