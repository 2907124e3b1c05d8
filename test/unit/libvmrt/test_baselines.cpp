// SPDX-License-Identifier: GPL-2.0-or-later
//
// What libvmrt is measured against does what it is said to, with the library of test/bench.
#include "../../bench/baselines.hpp"
#include "trial.hpp"

#include <iterator>

using namespace vmall;
using namespace vmall::test;

namespace {

struct Setting {
    const char *name;
    std::uint32_t coscheduling;
    bool hands_over;
};

const Setting settings[] = {
    {"busy", bench::coscheduling_busy, false},
    {"periodic boost", bench::coscheduling_periodic_boost, true},
    {"spin", bench::coscheduling_spin, true},
};

void set(Stage &stage, const Setting &setting, std::uint32_t flags = 0) {
    stage.control().coscheduling = setting.coscheduling;
    stage.control().next_rank = VMALL_NEXT_MESSAGES;
    stage.allot({usable_cpus()[0]}, flags);
}

START_TEST(every_baseline_gives_the_right_result) {
    const Setting &setting = settings[_i];
    for (const std::uint32_t flags : {0u, VMALL_CONTROL_OVERCLAIMED}) {
        Stage stage;
        set(stage, setting, flags);
        run_right(stage, 4, 100, 1);
        ck_assert_msg((hand_overs(stage) > 0) == setting.hands_over, "%s: %llu hand-overs",
                      setting.name, static_cast<unsigned long long>(hand_overs(stage)));
    }
}
END_TEST

START_TEST(boosted_turns_are_long) {
    Stage stage;
    set(stage, settings[1]);
    const auto start = Clock::now();
    run_right(stage, 4, 100, 1);
    const auto milliseconds =
        std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
    ck_assert_msg(hand_overs(stage) <= static_cast<std::uint64_t>(milliseconds) / 10 + 4,
                  "%llu turns in %lld ms", static_cast<unsigned long long>(hand_overs(stage)),
                  static_cast<long long>(milliseconds));
}
END_TEST

// In every step somebody is the first to wait, in vain until another rank has the CPU.
START_TEST(spinning_is_no_work) {
    constexpr std::uint64_t steps = 2000, least_ns = steps * 50'000;
    Stage stage;
    set(stage, settings[2]);
    run_right(stage, 2, steps, 1);
    const std::uint64_t useful = sum(stage, &vmall_runtime_slot::useful_ns);
    const std::uint64_t waiting = sum(stage, &vmall_runtime_slot::waiting_ns);
    ck_assert_msg(waiting >= least_ns && useful < waiting, "%llu us waiting, %llu useful",
                  static_cast<unsigned long long>(waiting / 1000),
                  static_cast<unsigned long long>(useful / 1000));
}
END_TEST

} // namespace

int main() {
    if (!can_be_staged(1))
        return skipped;
    TCase *tests = tcase_create("baselines");
    tcase_add_loop_test(tests, every_baseline_gives_the_right_result, 0,
                        static_cast<int>(std::size(settings)));
    tcase_add_test(tests, boosted_turns_are_long);
    tcase_add_test(tests, spinning_is_no_work);
    return run("libvmrt baselines", tests);
}
