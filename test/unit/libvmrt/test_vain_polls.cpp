// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a rank that polls and computes by turns is said to have waited, by bounds that a busy
// machine keeps.
#include "libvmrt/vain_polls.hpp"

#include "run.hpp"

using namespace vmall::runtime;

namespace {

constexpr std::uint64_t us = 1000, poll_ns = 1 * us;

void spend(std::uint64_t ns) {
    for (const std::uint64_t start = monotonic_ns(); monotonic_ns() - start < ns;)
        ;
}

struct Waited {
    std::uint64_t counted_ns, lived_ns, polls;
};

// `times` a wait of so many polls, and after each so long of something else.
Waited wait(int times, int polls, std::uint64_t computes_ns) {
    VainPolls vain;
    vmall_runtime_slot slot{};
    const std::uint64_t start = monotonic_ns();
    for (int i = 0; i < times; ++i) {
        for (int poll = 0; poll < polls; ++poll) {
            spend(poll_ns);
            vain.count(slot);
        }
        vain.received();
        spend(computes_ns);
    }
    return {slot.waiting_ns, monotonic_ns() - start,
            static_cast<std::uint64_t>(times) * static_cast<std::uint64_t>(polls)};
}

// Until the first poll has been timed, which takes more than one try where others compute, and
// since the last whole batch.
constexpr std::uint64_t polls_missed = 4096;

void assert_between(const Waited &waited, std::uint64_t least, std::uint64_t most) {
    ck_assert_msg(waited.counted_ns >= least && waited.counted_ns <= most,
                  "%lu us waited of %lu, not within %lu and %lu", waited.counted_ns / us,
                  waited.lived_ns / us, least / us, most / us);
}

// What a poll takes may be a little more than it has taken on average.
START_TEST(long_waits_are_counted) {
    const Waited waited = wait(20, 1000, 0);
    assert_between(waited, (waited.polls - polls_missed) * poll_ns, waited.lived_ns * 3 / 2);
}
END_TEST

// Of every 110 us, 10 are a wait.
START_TEST(computing_between_short_waits_is_no_wait) {
    const Waited waited = wait(2000, 10, 100 * us);
    assert_between(waited, (waited.polls - polls_missed) * poll_ns, waited.lived_ns / 2);
}
END_TEST

START_TEST(a_program_that_polls_now_and_then_does_not_wait) {
    const Waited waited = wait(2000, 1, 20 * us);
    assert_between(waited, 0, 0);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("vain polls");
    tcase_add_test(tests, long_waits_are_counted);
    tcase_add_test(tests, computing_between_short_waits_is_no_wait);
    tcase_add_test(tests, a_program_that_polls_now_and_then_does_not_wait);
    return run("libvmrt polls in vain", tests);
}
