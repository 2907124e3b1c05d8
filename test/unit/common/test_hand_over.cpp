// SPDX-License-Identifier: GPL-2.0-or-later
//
// A ring of processes, on a machine that others may use.
#include "common/hand_over.hpp"
#include "limit.hpp"
#include "run.hpp"

#include <atomic>
#include <cerrno>
#include <sched.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

using vmall::common::hand_over_ns;
using vmall::common::HandOverRing;
using namespace std::chrono_literals;

namespace {

constexpr double shortest = 100, longest = 1'000'000; // on any machine

HandOverRing patient_ring() {
    HandOverRing ring;
    ring.rounds = 300;
    ring.patience = vmall::test::limit;
    return ring;
}

bool has_children() {
    return waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD;
}

START_TEST(it_takes_what_a_hand_over_takes) {
    const double ns = hand_over_ns(patient_ring()).value();
    ck_assert_msg(ns > shortest && ns < longest, "%f ns", ns);
    ck_assert(!has_children());
}
END_TEST

START_TEST(who_wants_the_cpu_too_counts_for_little) {
    HandOverRing ring = patient_ring();
    ring.cpu = sched_getcpu();
    std::atomic<bool> over{false};
    std::thread other([&] {
        cpu_set_t mask;
        CPU_ZERO(&mask);
        CPU_SET(*ring.cpu, &mask);
        sched_setaffinity(0, sizeof mask, &mask);
        while (!over) {
        }
    });
    ring.rounds = 30;
    const auto start = std::chrono::steady_clock::now();
    const double ns = hand_over_ns(ring).value();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    over = true;
    other.join();
    ck_assert_msg(ns < longest, "%f ns", ns);
    ck_assert_msg(ns * ring.rounds * ring.processes < took.count() / 4, "%f of %f ns", ns,
                  took.count());
}
END_TEST

START_TEST(who_has_no_time_for_it_is_told_so_in_time) {
    HandOverRing ring;
    ring.rounds = 100'000'000;
    ring.patience = 50ms;
    const auto start = std::chrono::steady_clock::now();
    ck_assert(!hand_over_ns(ring));
    ck_assert(std::chrono::steady_clock::now() - start >= ring.patience);
    ck_assert(!has_children());
}
END_TEST

START_TEST(there_is_no_ring_of_one) {
    for (const std::uint32_t processes : {0u, 1u, 17u}) {
        HandOverRing ring;
        ring.processes = processes;
        ck_assert_contains(refusal<std::system_error>([&] { hand_over_ns(ring); }), "ring");
    }
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("hand_over");
    tcase_add_test(tests, it_takes_what_a_hand_over_takes);
    tcase_add_test(tests, who_wants_the_cpu_too_counts_for_little);
    tcase_add_test(tests, who_has_no_time_for_it_is_told_so_in_time);
    tcase_add_test(tests, there_is_no_ring_of_one);
    return run("hand_over", tests);
}
