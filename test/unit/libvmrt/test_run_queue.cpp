// SPDX-License-Identifier: GPL-2.0-or-later
//
// One rank's run queue among ranks that are only entries of the page.
#include "libvmrt/run_queue.hpp"

#include "libvmrt/shared_word.hpp"
#include "run.hpp"

#include <csignal>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>

static int yields;

// Instead of the C library's.
extern "C" int sched_yield() noexcept {
    ++yields;
    return 0;
}

using namespace vmall::runtime;

namespace {

constexpr std::uint32_t ranks = 6, cpu = 0;

// The rank in slot 0 and the others all wait on one CPU, and `holder` has the turn.
class Queue {
  public:
    vmall_runtime_page page{};
    RunQueue queue;

    Queue(const Rules &rules, std::uint32_t holder) {
        share_.rules = rules;
        share_.way = way_of(rules.coscheduling);
        share_.folded = true; // but not reachable: nobody is bound anywhere
        share_.room = {1, 1};
        share_.place = {true, 0, 1, ranks - 1, {1, 2, 3, 4, 5}};
        share_.member_count = ranks;
        for (std::uint32_t i = 0; i < ranks; ++i) {
            share_.members[i] = {i, {i, ranks}};
            page.slots[i].owner = this_process();
            page.slots[i].state = VMALL_RUNTIME_WAITING;
            page.slots[i].cpu_plus_1 = cpu + 1;
        }
        queue.attach(&page, 0, this_process());
        queue.join(share_);
        page.slots[holder].turn_on_plus_1 = cpu + 1;
        page.queues[cpu].token = holder + 1;
        page.queues[cpu].turns = 1; // the first goes by rotation
    }
    std::uint32_t holder() const { return load(page.queues[cpu].token) - 1; }

  private:
    Share share_{};
};

struct Choice {
    vmall_next_rank rule;
    std::uint32_t expected;
};

const Choice choices[] = {
    {VMALL_NEXT_ROUND_ROBIN, 2},
    {VMALL_NEXT_MESSAGES, 3},
    {VMALL_NEXT_SENDER, 4},
};

START_TEST(the_rule_says_who_is_next) {
    const Choice &row = choices[_i];
    Queue all({VMALL_COSCHEDULING_SELF, row.rule, VMALL_QUEUES_LOCAL}, 0);
    vmall_runtime_slot *slots = all.page.slots;
    for (const std::uint32_t rank : {1, 2, 3})
        slots[rank].arrived = slots[rank].consumed = slots[rank].news = slots[rank].heard = 1;
    slots[2].arrived += 1;
    slots[2].news += 1;
    slots[3].arrived += 2;
    slots[3].news += 2;
    slots[0].waits_for = slots[4].speaks_as[0] = 77;
    while (all.holder() == 0) // it may hold on for a moment
        all.queue.give_way(false);
    ck_assert_uint_eq(all.holder(), row.expected);
}
END_TEST

const Rules by_turns{VMALL_COSCHEDULING_SELF, VMALL_NEXT_ROUND_ROBIN, VMALL_QUEUES_LOCAL};

// A process that sleeps until it is killed.
class Sleeper {
  public:
    Sleeper() {
        int ends[2];
        ck_assert(pipe(ends) == 0);
        pid_ = fork();
        if (pid_ == 0) {
            const Owner self = this_process();
            if (write(ends[1], &self, sizeof self) != sizeof self)
                _exit(1);
            for (;;)
                pause();
        }
        ck_assert(read(ends[0], &owner_, sizeof owner_) == sizeof owner_);
        close(ends[0]);
        close(ends[1]);
        while (activity_of(owner_) != Activity::asleep)
            usleep(1000);
    }
    ~Sleeper() { end(); }
    Sleeper(const Sleeper &) = delete;
    Sleeper &operator=(const Sleeper &) = delete;

    Owner owner() const { return owner_; }
    void end() const {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }

  private:
    pid_t pid_;
    Owner owner_ = 0;
};

START_TEST(a_holder_that_sleeps_loses_its_turn) {
    const Sleeper sleeper;
    Queue all(by_turns, 3);
    all.page.slots[3].owner = sleeper.owner();
    all.queue.give_way(false);
    ck_assert_uint_eq(all.holder(), 0);
    ck_assert_uint_eq(all.page.slots[3].state, VMALL_RUNTIME_ABSENT);
    ck_assert_uint_eq(all.page.slots[3].turn_on_plus_1, 0);
}
END_TEST

START_TEST(a_holder_that_died_loses_its_turn_and_its_slot) {
    const Sleeper sleeper;
    Queue all(by_turns, 3);
    all.page.slots[3].owner = sleeper.owner();
    sleeper.end();
    all.queue.give_way(false);
    ck_assert_uint_eq(all.holder(), 0);
    ck_assert(all.page.slots[3].owner == 0);
}
END_TEST

START_TEST(a_holder_that_computes_keeps_its_turn) {
    Queue all(by_turns, 3);
    for (int i = 0; i < 3; ++i)
        all.queue.give_way(false);
    ck_assert_uint_eq(all.holder(), 3);
}
END_TEST

// Nobody waits for its turn, and itself it waits in vain.
START_TEST(a_rank_alone_yields_to_other_jobs_if_it_should) {
    for (const bool should : {false, true}) {
        Queue all(by_turns, 0);
        for (std::uint32_t rank = 1; rank < ranks; ++rank)
            all.page.slots[rank].cpu_plus_1 = 0;
        yields = 0;
        for (int i = 0; i < 1000; ++i)
            all.queue.give_way(should);
        ck_assert((yields > 0) == should);
    }
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("run queue");
    tcase_add_loop_test(tests, the_rule_says_who_is_next, 0, static_cast<int>(std::size(choices)));
    tcase_add_test(tests, a_holder_that_sleeps_loses_its_turn);
    tcase_add_test(tests, a_holder_that_died_loses_its_turn_and_its_slot);
    tcase_add_test(tests, a_holder_that_computes_keeps_its_turn);
    tcase_add_test(tests, a_rank_alone_yields_to_other_jobs_if_it_should);
    return run("libvmrt run queue", tests);
}
