// SPDX-License-Identifier: GPL-2.0-or-later
//
// No order of accesses to the runtime page loses a turn or gives it to two.
#include "explorer.hpp"
#include "run.hpp"
#include "scenarios.hpp"

using namespace vmall::interleavings;

namespace {

constexpr std::uint64_t most_states = 1'000'000; // more than any of them has

std::string lines(const std::vector<std::string> &path) {
    std::string text;
    for (const std::string &line : path)
        text += "\n" + line;
    return text;
}

START_TEST(every_order_hands_the_turn_over) {
    const Scenario &scenario = explored.at(static_cast<std::size_t>(_i));
    const Result result = explore(scenario, most_states);
    ck_assert_msg(result.fault.empty(), "%s: %s%s", scenario.name, result.fault.c_str(),
                  lines(result.path).c_str());
    ck_assert_msg(result.complete, "%s: not explored to its end", scenario.name);
    ck_assert_msg(result.ends > 0, "%s: never comes to its end", scenario.name);
}
END_TEST

START_TEST(a_lost_wakeup_is_found) {
    Scenario scenario;
    scenario.program = "ppp";
    scenario.preemptions = 0;
    scenario.futexes_work = false;
    const Result result = explore(scenario, most_states);
    ck_assert_text(result.fault, "all sleep, and nobody will wake them");
    ck_assert_contains(lines(result.path), "counts wake of rank");
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("interleavings");
    tcase_add_loop_test(tests, every_order_hands_the_turn_over, 0,
                        static_cast<int>(explored.size()));
    tcase_add_test(tests, a_lost_wakeup_is_found);
    return run("interleavings of the token's hand-over", tests);
}
