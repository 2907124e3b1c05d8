// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the runtime page says about messages.
#include "trial.hpp"

#include <algorithm>
#include <csignal>
#include <iterator>
#include <string>

using namespace vmall::test;

namespace {

const vmall_runtime_slot *slot_of(Stage &stage, std::uint32_t local_rank) {
    for (const vmall_runtime_slot &slot : stage.runtime().slots)
        if (slot.owner != 0 && slot.local_size != 0 && slot.local_rank == local_rank)
            return &slot;
    return nullptr;
}

START_TEST(every_message_between_ranks_is_counted) {
    constexpr std::uint64_t ranks = 4, steps = 2000, others = 200; // of barriers and the like
    Stage stage;
    stage.allot({usable_cpus()[0]});
    ck_assert(stage.start(ranks, ring(steps, 1)).wait().succeeded());
    for (std::uint64_t i = 0; i < ranks; ++i) {
        const vmall_runtime_slot &slot = stage.runtime().slots[i];
        ck_assert_msg(slot.sent >= steps && slot.sent < steps + others, "slot %d sent %d",
                      static_cast<int>(i), static_cast<int>(slot.sent));
        // Some of the first are sent before the receiver has a slot.
        ck_assert_msg(slot.arrived > steps - others && slot.arrived < steps + others,
                      "slot %d: %d arrived", static_cast<int>(i), static_cast<int>(slot.arrived));
        ck_assert_msg(slot.consumed == slot.arrived, "slot %d: %d arrived, %d consumed",
                      static_cast<int>(i), static_cast<int>(slot.arrived),
                      static_cast<int>(slot.consumed));
        ck_assert_msg(slot.news <= slot.arrived, "slot %d: %d arrived, %d news",
                      static_cast<int>(i), static_cast<int>(slot.arrived),
                      static_cast<int>(slot.news));
    }
}
END_TEST

// In a sum each of four waits for one neighbour after the other; the second one's message may come
// first.
START_TEST(who_waits_for_another_is_not_told) {
    constexpr int sum = 0, steps = 5000, grain = 1;
    std::uint64_t arrived = 0, news = 0;
    Stage stage;
    stage.allot({usable_cpus()[0]});
    ck_assert(stage
                  .start(4, {MPI_PROGRAMS "/patterns", std::to_string(sum), std::to_string(steps),
                             std::to_string(grain)})
                  .wait()
                  .succeeded());
    for (std::uint32_t i = 0; i < 4; ++i) {
        arrived += stage.runtime().slots[i].arrived;
        news += stage.runtime().slots[i].news;
    }
    ck_assert_msg(news < arrived - steps / 2, "%d arrived, %d news", static_cast<int>(arrived),
                  static_cast<int>(news));
}
END_TEST

// Accumulate, fetch and the like, which the ranks that own the memory have a part in.
START_TEST(operations_on_the_memory_of_others_are_told) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    ck_assert(stage.start(4, {MPI_PROGRAMS "/calls", "1", "1"}).wait().succeeded());
    for (std::uint32_t i = 0; i < 4; ++i)
        ck_assert_msg(stage.runtime().slots[i].news > 0, "slot %d", static_cast<int>(i));
}
END_TEST

// Rows of half a grid go to the neighbours: 9.6 kB.
START_TEST(senders_are_told_that_long_messages_were_fetched) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    ck_assert(stage.start(4, {MPI_PROGRAMS "/stencil", "2400", "20"}).wait().succeeded());
    for (std::uint32_t i = 0; i < 4; ++i)
        ck_assert_msg(stage.runtime().slots[i].news >= 10, "slot %d", static_cast<int>(i));
}
END_TEST

// In the ring, rank 1 waits for rank 0, and rank 2 sends to it.
START_TEST(a_stopped_rank_is_waited_for_and_has_messages) {
    Stage stage;
    stage.allot({usable_cpus()[0]});
    Program program = stage.start(3, ring(endless, 1));
    ck_assert(comes_true([&] {
        return stage.ranks().size() == 3 && slot_of(stage, 0) != nullptr &&
               slot_of(stage, 0)->consumed >= 100;
    }));
    const vmall_runtime_slot *stopped = slot_of(stage, 0), *waiting = slot_of(stage, 1);
    const auto process = static_cast<pid_t>(stopped->owner >> 32);
    ck_assert(kill(process, SIGSTOP) == 0);
    const auto is_told = [&] {
        return waiting->waits_for != 0 &&
               std::count(stopped->speaks_as, std::end(stopped->speaks_as), waiting->waits_for) !=
                   0 &&
               stopped->arrived > stopped->consumed;
    };
    ck_assert_msg(comes_true(is_told), "rank 1 waits for %x, %d of %d consumed", waiting->waits_for,
                  static_cast<int>(stopped->consumed), static_cast<int>(stopped->arrived));
    ck_assert(kill(process, SIGCONT) == 0);
    tell_to_end(stage);
    ck_assert(program.wait().succeeded());
}
END_TEST

} // namespace

int main() {
    if (!can_be_staged(1))
        return skipped;
    TCase *tests = tcase_create("messages");
    tcase_add_test(tests, every_message_between_ranks_is_counted);
    tcase_add_test(tests, who_waits_for_another_is_not_told);
    tcase_add_test(tests, operations_on_the_memory_of_others_are_told);
    tcase_add_test(tests, senders_are_told_that_long_messages_were_fetched);
    tcase_add_test(tests, a_stopped_rank_is_waited_for_and_has_messages);
    return run("libvmrt's messages", tests);
}
