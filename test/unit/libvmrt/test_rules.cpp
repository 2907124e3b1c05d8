// SPDX-License-Identifier: GPL-2.0-or-later
//
// How ranks wait and share, as the control block says, from the start and while they run.
#include "trial.hpp"

#include <random>
#include <sched.h>

using namespace vmall::test;

namespace {

struct Setting {
    const char *name;
    vmall_coscheduling coscheduling;
    vmall_run_queues queues;
    bool hands_over;
    int cpus_of_a_rank; // of two
};

const Setting settings[] = {
    {"local", VMALL_COSCHEDULING_SELF, VMALL_QUEUES_LOCAL, true, 1},
    {"kernel", VMALL_COSCHEDULING_SELF, VMALL_QUEUES_KERNEL, false, 2},
    {"none", VMALL_COSCHEDULING_NONE, VMALL_QUEUES_LOCAL, false, 2},
};

void set(Stage &stage, const Setting &setting, const Cpus &cpus, std::uint32_t flags = 0) {
    stage.control().coscheduling = setting.coscheduling;
    stage.control().run_queues = setting.queues;
    stage.allot(cpus, flags);
}

START_TEST(every_rule_gives_the_right_result) {
    const Setting &setting = settings[_i];
    for (const std::uint32_t flags : {0u, VMALL_CONTROL_OVERCLAIMED}) {
        Stage stage;
        set(stage, setting, {usable_cpus()[0]}, flags);
        run_right(stage, 4, 100, 1);
        ck_assert_msg((hand_overs(stage) > 0) == setting.hands_over, "%s: %llu hand-overs",
                      setting.name, static_cast<unsigned long long>(hand_overs(stage)));
    }
}
END_TEST

START_TEST(rules_that_change_while_ranks_are_folded_take_effect) {
    Stage stage;
    const Cpus cpus = usable_cpus(), both{cpus[0], cpus[1]};
    set(stage, settings[0], both);
    Program program = stage.start(6, ring(endless, 1));
    await_ranks(stage, 6);
    const std::vector<pid_t> ranks = stage.ranks();
    const auto all_have = [&](int count) {
        for (const pid_t rank : ranks) {
            cpu_set_t set;
            if (sched_getaffinity(rank, sizeof set, &set) != 0 || CPU_COUNT(&set) != count)
                return false;
        }
        return true;
    };
    const auto hands_over = [&] {
        const std::uint64_t before = hand_overs(stage);
        std::this_thread::sleep_for(100ms);
        return hand_overs(stage) != before;
    };
    for (int round = 0; round < 3; ++round)
        for (const Setting &setting : settings) {
            set(stage, setting, both);
            ck_assert_msg(comes_true([&] { return hands_over() == setting.hands_over; }),
                          "%s, round %d: wrong hand-overs", setting.name, round);
            ck_assert_msg(comes_true([&] { return all_have(setting.cpus_of_a_rank); }),
                          "%s, round %d: ranks are not where they should be", setting.name, round);
        }
    ck_assert(!program.has_ended());
}
END_TEST

START_TEST(nothing_is_lost_while_rules_and_allotments_change_at_random) {
    Stage stage;
    const Cpus cpus = usable_cpus();
    const Cpus allotments[] = {{cpus[0]}, {cpus[1]}, {cpus[0], cpus[1]}};
    std::mt19937 random(1);
    stage.control().node_count = 2; // and wait for messages from elsewhere, too
    Program program = stage.start(4, ring(endless, 1));
    await_ranks(stage, 4);
    for (int changes = 0; changes < 150; ++changes) {
        stage.control().next_rank = random() % (VMALL_NEXT_SENDER + 1);
        Setting setting = settings[random() % std::size(settings)];
        setting.queues = static_cast<vmall_run_queues>(random() % (VMALL_QUEUES_DETECTED + 1));
        set(stage, setting, allotments[random() % 3],
            random() % 2 == 0 ? VMALL_CONTROL_OVERCLAIMED : 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(random() % 20));
    }
    tell_to_end(stage);
    assert_right(program.wait(), 4, endless, 1);
}
END_TEST

} // namespace

int main() {
    if (!can_be_staged(2))
        return skipped;
    TCase *tests = tcase_create("rules");
    tcase_add_loop_test(tests, every_rule_gives_the_right_result, 0,
                        static_cast<int>(std::size(settings)));
    tcase_add_test(tests, rules_that_change_while_ranks_are_folded_take_effect);
    tcase_add_test(tests, nothing_is_lost_while_rules_and_allotments_change_at_random);
    return run("libvmrt rules", tests);
}
