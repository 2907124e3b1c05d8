// SPDX-License-Identifier: GPL-2.0-or-later
//
// What of a rank's time is counted as of use. Times are in microseconds.
#include "libvmrt/useful_time.hpp"

#include "run.hpp"

#include <iterator>

using namespace vmall::runtime;

namespace {

// A poll in vain, after an earlier one at 100.
struct Poll {
    const char *what;
    std::uint64_t turn_start, now;
    bool received;
    std::uint64_t useful, waiting;
    bool waits_from_here;
};

const Poll polls[] = {
    {"in vain again", 50, 101, false, 0, 1, false},
    {"as long as polling takes", 50, 110, false, 0, 10, false},
    {"longer: it computed", 50, 111, false, 11, 0, true},
    {"a message came", 50, 101, true, 1, 0, true},
    {"slept until its turn", 190, 191, false, 0, 1, false},
    {"computed in its turn", 120, 200, false, 80, 0, true},
};

constexpr std::uint64_t us = 1000;

START_TEST(time_is_of_use_or_spent_waiting) {
    const Poll &row = polls[_i];
    UsefulTime time;
    vmall_runtime_slot slot{};
    time.polled_in_vain(slot, 100 * us, 0, Measured::by_the_clock);
    ck_assert(time.take_useful());
    slot = {};
    if (row.received)
        time.received();
    time.polled_in_vain(slot, row.now * us, row.turn_start * us, Measured::by_the_clock);
    ck_assert_msg(slot.useful_ns == row.useful * us && slot.waiting_ns == row.waiting * us,
                  "%s: %lu of use, %lu waiting", row.what, slot.useful_ns, slot.waiting_ns);
    ck_assert_msg(time.wait_start() == (row.waits_from_here ? row.now : 100) * us, "%s", row.what);
    ck_assert(time.take_useful() == row.waits_from_here);
    ck_assert(!time.take_useful());
}
END_TEST

START_TEST(cpu_time_of_other_processes_is_of_no_use) {
    constexpr std::uint64_t years = 1'000'000'000'000'000'000;
    UsefulTime time;
    vmall_runtime_slot slot{};
    time.polled_in_vain(slot, years, 0, Measured::by_cpu_time);
    ck_assert_uint_gt(slot.useful_ns, 0);
    ck_assert_uint_lt(slot.useful_ns, years);
    ck_assert_uint_eq(slot.useful_ns + slot.waiting_ns, years);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("useful time");
    tcase_add_loop_test(tests, time_is_of_use_or_spent_waiting, 0,
                        static_cast<int>(std::size(polls)));
    tcase_add_test(tests, cpu_time_of_other_processes_is_of_no_use);
    return run("libvmrt useful time", tests);
}
