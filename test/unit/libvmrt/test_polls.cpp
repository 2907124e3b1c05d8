// SPDX-License-Identifier: GPL-2.0-or-later
//
// When a rank steps aside, and what it is said to have waited, by bounds that a busy machine keeps.
#include "libvmrt/polls.hpp"

#include "run.hpp"

using namespace vmall::runtime;

namespace {

constexpr std::uint64_t us = 1000, poll_ns = 1 * us;

void spend(std::uint64_t ns) {
    for (const std::uint64_t start = monotonic_ns(); monotonic_ns() - start < ns;)
        ;
}

// A poll as an engine makes it.
bool poll(Polls &polls, vmall_runtime_slot &slot, bool stays = false) {
    if (polls.pass())
        return true;
    polls.answer();
    polls.in_vain(slot, stays);
    return false;
}

// Polls until it is aside.
void become_aside(Polls &polls, vmall_runtime_slot &slot) {
    for (int i = 0; i < 1000 && !polls.is_aside(); ++i) {
        spend(poll_ns);
        poll(polls, slot);
    }
    ck_assert(polls.is_aside());
}

struct Waited {
    std::uint64_t counted_ns, lived_ns, polls;
};

// `times` a wait of so many polls, and after each so long of something else.
Waited wait(int times, int polls_in_vain, std::uint64_t computes_ns, bool stays) {
    Polls polls;
    vmall_runtime_slot slot{};
    polls.begin();
    const std::uint64_t start = monotonic_ns();
    for (int i = 0; i < times; ++i) {
        for (int count = 0; count < polls_in_vain; ++count) {
            spend(poll_ns);
            poll(polls, slot, stays);
        }
        spend(computes_ns);
        if (i % 10 == 0)
            polls.call();
    }
    polls.write_up(slot);
    return {slot.waiting_ns, monotonic_ns() - start,
            static_cast<std::uint64_t>(times) * static_cast<std::uint64_t>(polls_in_vain)};
}

void assert_between(const Waited &waited, std::uint64_t least, std::uint64_t most) {
    ck_assert_msg(waited.counted_ns >= least && waited.counted_ns <= most,
                  "%lu us waited of %lu, not within %lu and %lu", waited.counted_ns / us,
                  waited.lived_ns / us, least / us, most / us);
}

// What a poll takes is known within a few parts in a hundred.
START_TEST(long_waits_are_counted) {
    const Waited waited = wait(20, 1000, 0, _i != 0);
    assert_between(waited, waited.polls * poll_ns * 3 / 4, waited.lived_ns * 3 / 2);
}
END_TEST

// Of every 110 us, 10 are a wait.
START_TEST(computing_between_short_waits_is_no_wait) {
    const Waited waited = wait(2000, 10, 100 * us, _i != 0);
    assert_between(waited, waited.polls * poll_ns * 3 / 4, waited.lived_ns / 2);
}
END_TEST

START_TEST(a_program_that_polls_now_and_then_does_not_wait) {
    const Waited waited = wait(2000, 1, 20 * us, false);
    assert_between(waited, 0, 0);
}
END_TEST

START_TEST(who_is_aside_attends_again_when_it_is_called) {
    Polls polls;
    vmall_runtime_slot slot{};
    polls.begin();
    become_aside(polls, slot);
    ck_assert(polls.next_passes() && poll(polls, slot));
    polls.call();
    ck_assert(!polls.is_aside() && !polls.next_passes());
    ck_assert(!poll(polls, slot));
    become_aside(polls, slot);
}
END_TEST

// Between the look at what it was called for and the step aside.
START_TEST(a_call_that_nobody_has_answered_is_not_lost) {
    Polls polls;
    vmall_runtime_slot slot{};
    polls.begin();
    polls.answer();
    polls.call();
    for (int i = 0; i < 1000; ++i)
        if (!polls.pass())
            polls.in_vain(slot, false);
    ck_assert(!polls.is_aside());
}
END_TEST

START_TEST(messages_alone_lead_aside_too) {
    Polls polls;
    vmall_runtime_slot slot{};
    polls.begin();
    for (int i = 0; i < 1000 && !polls.pass(); ++i)
        polls.received(slot, false);
    ck_assert(polls.is_aside());
    ck_assert_uint_eq(slot.waiting_ns, 0);
}
END_TEST

START_TEST(who_has_to_yield_between_polls_does_not_step_aside) {
    Polls polls;
    vmall_runtime_slot slot{};
    polls.begin();
    for (int i = 0; i < 1000; ++i)
        ck_assert(!poll(polls, slot, true));
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("polls");
    tcase_add_loop_test(tests, long_waits_are_counted, 0, 2);
    tcase_add_loop_test(tests, computing_between_short_waits_is_no_wait, 0, 2);
    tcase_add_test(tests, a_program_that_polls_now_and_then_does_not_wait);
    tcase_add_test(tests, who_is_aside_attends_again_when_it_is_called);
    tcase_add_test(tests, a_call_that_nobody_has_answered_is_not_lost);
    tcase_add_test(tests, messages_alone_lead_aside_too);
    tcase_add_test(tests, who_has_to_yield_between_polls_does_not_step_aside);
    return run("libvmrt polls", tests);
}
