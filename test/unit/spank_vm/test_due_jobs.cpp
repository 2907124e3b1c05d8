// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which jobs are to be looked at again, and that all of them are.
#include "spank_vm/agent/due_jobs.hpp"

#include "run.hpp"
#include "spank_vm/agent/rechecks.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>

using namespace vmall::agent;

namespace {

using Jobs = std::vector<std::uint32_t>;
constexpr DueJobs::Clock::time_point now;
constexpr std::chrono::seconds second(1);

START_TEST(who_is_due_is_taken_once) {
    DueJobs due;
    ck_assert(!due.next());
    due.put_off(2, now + second);
    due.put_off(1, now + 2 * second);
    ck_assert(due.next() == now + second);
    ck_assert(due.take(now).empty());
    ck_assert(due.take(now + second) == Jobs{2});
    ck_assert(due.next() == now + 2 * second);
    ck_assert(due.take(now + 3 * second) == Jobs{1});
    ck_assert(!due.next());
}
END_TEST

START_TEST(who_is_put_off_again_is_due_once_and_later) {
    DueJobs due;
    due.put_off(1, now + second);
    due.put_off(1, now + 2 * second);
    ck_assert(due.take(now + second).empty());
    ck_assert(due.take(now + 2 * second) == Jobs{1});
}
END_TEST

// Many more than there are threads.
START_TEST(every_job_is_looked_at) {
    constexpr std::uint32_t count = 300;
    std::mutex mutex;
    std::condition_variable changed;
    std::set<std::uint32_t> seen;
    Rechecks rechecks([&](std::uint32_t job) {
        const std::lock_guard<std::mutex> lock(mutex);
        seen.insert(job);
        changed.notify_all();
    });
    for (std::uint32_t job = 0; job < count; ++job)
        rechecks.later(job);
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return seen.size() == count; });
}
END_TEST

START_TEST(it_ends_with_jobs_that_are_not_due) {
    std::atomic<int> looks = 0;
    {
        Rechecks rechecks([&](std::uint32_t) { ++looks; });
        rechecks.later(1);
    }
    ck_assert_int_le(looks, 1);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("due jobs");
    tcase_add_test(tests, who_is_due_is_taken_once);
    tcase_add_test(tests, who_is_put_off_again_is_due_once_and_later);
    tcase_add_test(tests, every_job_is_looked_at);
    tcase_add_test(tests, it_ends_with_jobs_that_are_not_due);
    return run("due jobs", tests);
}
