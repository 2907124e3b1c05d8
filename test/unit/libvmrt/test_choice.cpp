// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which way is chosen for jobs whose progress by either way is known, and how much of their time
// the other one gets.
#include "libvmrt/choice.hpp"

#include "run.hpp"

#include <cmath>
#include <random>
#include <vector>

using namespace vmall::runtime;

namespace {

constexpr std::uint64_t ms = 1'000'000, second = 1'000 * ms;

// What a job gets done in a millisecond.
struct Pace {
    double by_turns, by_yields;
};

class Job {
  public:
    std::uint64_t now = 5 * second, yielded = 0;
    Choice choice;

    // As long as `pace` holds, with noise of so much of it, up or down.
    void run(const Pace &pace, std::uint64_t time, double noise = 0) {
        for (const std::uint64_t end = now + time; now < end;) {
            const std::uint64_t next = choice.look(now, static_cast<std::uint64_t>(progress_));
            ck_assert_uint_gt(next, now);
            const bool yields = choice.yields();
            const double factor = 1 + noise * std::uniform_real_distribution<>(-1, 1)(random_);
            progress_ += factor * (yields ? pace.by_yields : pace.by_turns) *
                         static_cast<double>(next - now) / static_cast<double>(ms);
            yielded += yields ? next - now : 0;
            now = next;
        }
    }

  private:
    double progress_ = 0;
    std::mt19937 random_{1};
};

struct Case {
    const char *name;
    Pace pace;
    double noise;
    double least, most; // of a minute, yielding
};

const std::vector<Case> cases = {
    {"turns are much faster", {100, 20}, 0, 0, 0.002},
    {"turns are faster", {100, 90}, 0, 0, 0.005},
    {"both are alike", {100, 100}, 0, 0, 0.005},
    {"yields are a little faster", {100, 102}, 0, 0, 0.005},
    {"yields are faster", {100, 110}, 0, 0.99, 1},
    {"yields are much faster", {20, 100}, 0, 0.99, 1},
    {"yields are much faster, with noise", {20, 100}, 0.2, 0.9, 1},
    {"turns are much faster, with noise", {100, 20}, 0.2, 0, 0.1},
    {"few events, yields are faster", {0.2, 0.4}, 0, 0.9, 1},
    {"nothing ever happens", {0, 0}, 0, 0, 0.1},
};

START_TEST(the_faster_way_is_chosen) {
    const Case &row = cases[static_cast<std::size_t>(_i)];
    Job job;
    job.run(row.pace, 60 * second, row.noise);
    const double share = static_cast<double>(job.yielded) / static_cast<double>(60 * second);
    ck_assert_msg(share >= row.least && share <= row.most, "%s: yields for %g of the time",
                  row.name, share);
}
END_TEST

START_TEST(a_job_that_changes_is_noticed) {
    Job job;
    job.run({100, 50}, 10 * second);
    ck_assert(!job.choice.yields());
    job.run({50, 100}, 2 * Choice::longest_hold_ns);
    ck_assert(job.choice.yields());
}
END_TEST

// As when others come to the CPUs.
START_TEST(yields_that_break_down_are_given_up_at_once) {
    Job job;
    job.run({100, 150}, 120 * second);
    ck_assert(job.choice.yields());
    job.yielded = 0;
    job.run({90, 20}, 10 * second);
    ck_assert(!job.choice.yields());
    ck_assert_uint_lt(job.yielded, second);
}
END_TEST

START_TEST(it_begins_again_with_turns) {
    Job job;
    job.run({50, 100}, 10 * second);
    ck_assert(job.choice.yields());
    job.choice.restart();
    job.choice.look(job.now, 0);
    ck_assert(!job.choice.yields());
}
END_TEST

// The job may write anything into its page.
START_TEST(counters_that_make_no_sense_do_no_harm) {
    std::mt19937_64 random(1);
    Choice choice;
    for (std::uint64_t now = 0, looks = 0; looks < 100'000; ++looks) {
        const std::uint64_t next = choice.look(now, random() >> random() % 64);
        ck_assert(next > now && next - now <= Choice::longest_hold_ns);
        now = next;
    }
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("choice");
    tcase_add_loop_test(tests, the_faster_way_is_chosen, 0, static_cast<int>(cases.size()));
    tcase_add_test(tests, a_job_that_changes_is_noticed);
    tcase_add_test(tests, yields_that_break_down_are_given_up_at_once);
    tcase_add_test(tests, it_begins_again_with_turns);
    tcase_add_test(tests, counters_that_make_no_sense_do_no_harm);
    return run("libvmrt choice", tests);
}
