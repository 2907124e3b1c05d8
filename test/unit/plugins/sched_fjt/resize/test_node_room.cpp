// SPDX-License-Identifier: GPL-2.0-or-later
//
// Many jobs of one node: of how many it is asked at once. Nobody answers.
#include "plugins/sched_fjt/resize/node_room.hpp"

#include "plugins/sched_fjt/resize/resizer.hpp"
#include "run.hpp"

#include <cstddef>
#include <string>

using namespace vmall;
using namespace vmall::sched;

namespace {

constexpr JobNumber job_count = 40;
constexpr std::size_t most = NodeRoom::most_at_once;

// All on the first node, the last on a second one, too.
View crowd() {
    View view;
    view.now = view.steady = 1000;
    for (const NodeNumber node : {0, 1}) {
        view.nodes[node].name = "n" + std::to_string(node);
        view.nodes[node].address = "127.0.0.1";
    }
    for (JobNumber id = 1; id <= job_count; ++id) {
        JobView &job = view.active[id];
        job.id = id;
        job.virtually_malleable = true;
        job.state = JobState::running;
        job.tasks = 1;
        job.cores[0] = {id};
    }
    view.active[job_count].cores[1] = {0};
    return view;
}

struct Nobody {
    Ledger ledger{1};
    Counters counters;
    Messenger messenger{"/nonexistent", [] {}};
    Resizer resizer{ledger, messenger, counters};

    Nobody() {
        config::Config config;
        config.agent_port.value = 1;
        resizer.configure(config);
    }
    std::size_t asked(const View &view) {
        std::size_t count = 0;
        for (const auto &[id, job] : view.active) {
            const LedgerEntry &entry = ledger.of(job);
            count += entry.survey || entry.target.is_under_way();
        }
        return count;
    }
    // All jobs are where they belong, and their turn comes the later the lower their number is.
    void settle(const View &view) {
        for (const auto &[id, job] : view.active) {
            LedgerEntry &entry = ledger.of(job);
            entry.target.on(TargetEvent::due);
            entry.target.on(TargetEvent::confirmed);
            entry.survey_at = 1000 - policy::Seconds{id};
        }
    }
};

START_TEST(a_node_has_room_for_so_many) {
    const View view = crowd();
    const Ledger ledger(1);
    NodeRoom room(view, ledger);
    for (std::size_t i = 0; i < most; ++i)
        ck_assert(room.take({{0, {1}}}));
    ck_assert(!room.take({{0, {1}}}));
    ck_assert(!room.take({{0, {1}}, {1, {1}}}));
    for (std::size_t i = 0; i < most; ++i)
        ck_assert(room.take({{1, {1}}})); // the refused has taken none of it
    ck_assert(!room.take({{1, {1}}}));
}
END_TEST

START_TEST(what_is_under_way_takes_room) {
    const View view = crowd();
    Ledger ledger(1);
    for (JobNumber id = 1; id < most; ++id)
        ledger.of(view.active.at(id)).target.on(TargetEvent::due);
    NodeRoom room(view, ledger);
    ck_assert(room.take({{0, {1}}}));
    ck_assert(!room.take({{0, {1}}}));
}
END_TEST

START_TEST(a_node_is_surveyed_of_so_many_jobs_at_once_whose_turn_came_first) {
    View view = crowd();
    Nobody nobody;
    nobody.settle(view);
    nobody.resizer.survey(view);
    ck_assert_uint_eq(nobody.asked(view), most);
    nobody.resizer.survey(view);
    ck_assert_uint_eq(nobody.asked(view), most); // none has answered
    for (JobNumber id = 1; id <= job_count; ++id)
        ck_assert(nobody.ledger.find(id)->survey.has_value() == (id > job_count - most));
    for (JobNumber id = 1; id <= job_count; ++id)
        nobody.ledger.find(id)->survey.reset();
    nobody.resizer.survey(view); // the others
    ck_assert_uint_eq(nobody.asked(view), most);
    ck_assert(!nobody.ledger.find(job_count)->survey);
}
END_TEST

START_TEST(after_a_restart_a_node_is_told_of_so_many_jobs_at_once) {
    const View view = crowd();
    Nobody nobody;
    nobody.resizer.retry(view);
    ck_assert_uint_eq(nobody.asked(view), most);
    nobody.resizer.retry(view);
    ck_assert_uint_eq(nobody.asked(view), most);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("node room");
    tcase_add_test(tests, a_node_has_room_for_so_many);
    tcase_add_test(tests, what_is_under_way_takes_room);
    tcase_add_test(tests, a_node_is_surveyed_of_so_many_jobs_at_once_whose_turn_came_first);
    tcase_add_test(tests, after_a_restart_a_node_is_told_of_so_many_jobs_at_once);
    return run("node room", tests);
}
