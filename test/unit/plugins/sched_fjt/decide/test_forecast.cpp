// SPDX-License-Identifier: GPL-2.0-or-later
//
// When waiting jobs are expected to start, now and then.
#include "plugins/sched_fjt/decide/forecast.hpp"

#include "run.hpp"

#include <check.h>

namespace {

using namespace vmall;
using policy::Seconds;

constexpr Seconds hour = 3600;

// One core, which a job holds until then; job 2 waits for it.
policy::Snapshot full_until(Seconds end) {
    policy::Snapshot snapshot;
    snapshot.now = hour;
    snapshot.nodes = {{1, 0}};
    policy::RunningJob running;
    running.id = {1};
    running.allotment = {{{0}, 1}};
    running.expected_end = end;
    snapshot.running = {running};
    policy::WaitingJob waiting;
    waiting.id = {2};
    waiting.sizes = {1};
    waiting.estimate = 60;
    snapshot.waiting = {waiting};
    return snapshot;
}

std::optional<Seconds> told(sched::Forecast &forecast, const policy::Snapshot &snapshot,
                            Seconds steady, std::uint32_t job = 2) {
    std::vector<policy::Action> actions = {policy::Wait{{job}, {}}};
    forecast.tell(snapshot, {}, steady, actions);
    return std::get<policy::Wait>(actions.front()).expected_start;
}

START_TEST(starts_are_found_out_every_half_minute) {
    sched::Forecast forecast;
    ck_assert(told(forecast, full_until(2 * hour), 5) == 2 * hour);
    ck_assert(told(forecast, full_until(3 * hour), 34) == 2 * hour);
    ck_assert(told(forecast, full_until(3 * hour), 35) == 3 * hour);
}
END_TEST

START_TEST(of_who_came_since_then_nothing_is_known) {
    sched::Forecast forecast;
    ck_assert(!told(forecast, full_until(2 * hour), 5, 3));
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("forecast");
    tcase_add_test(tests, starts_are_found_out_every_half_minute);
    tcase_add_test(tests, of_who_came_since_then_nothing_is_known);
    return run("forecast", tests);
}
