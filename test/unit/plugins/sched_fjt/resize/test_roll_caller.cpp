// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is waited for after a start of slurmctld, and which jobs are not to be told of their cores
// yet.
#include "plugins/sched_fjt/resize/roll_caller.hpp"

#include "run.hpp"

#include <chrono>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace vmall;
using namespace vmall::sched;
using namespace std::chrono_literals;
using wire::Present;

namespace {

// Node n0, and n1 beside it if a test wants it; jobs that slurmctld has recorded.
struct Calls {
    const RollCaller::Clock::time_point start{1h};
    View view;
    config::Config config;
    Ledger ledger{1000};
    RollCaller caller{ledger, config, start};

    Calls() { add_node(0); }

    NodeView &add_node(NodeNumber number) {
        NodeView &node = view.nodes[number];
        node.name = "n" + std::to_string(number);
        node.registered = node.usable = true;
        return node;
    }

    JobView &record(JobNumber id, cores::Cores cores, NodeNumber node = 0) {
        JobView &job = view.active[id];
        job.id = id;
        job.state = JobState::running;
        job.virtually_malleable = true;
        job.cores[node] = std::move(cores);
        return job;
    }

    void record_ordinary(JobNumber id, NodeNumber node) {
        JobView &job = record(id, {}, node);
        job.virtually_malleable = false;
        job.allotment = {{{node}, 1}};
    }

    // Names of the nodes that are called.
    std::string look(std::chrono::milliseconds after = 0ms, std::vector<RollReply> replies = {}) {
        std::string called;
        for (const AgentAddress &at : caller.look(view, std::move(replies), start + after))
            called += at.node;
        return called;
    }

    // Looks until n0 has been called, and then with its roll.
    std::string hear(std::vector<Present> jobs, std::chrono::milliseconds after = 0ms) {
        look(after);
        return look(after, {{"n0", wire::Roll{"n0", std::move(jobs)}}});
    }

    using Nodes = std::vector<NodeNumber>;
    Nodes unchecked() { return caller.unchecked(view); }
    bool is_held_back(JobNumber id) { return ledger.find(id)->target.is_held_back(); }
};

START_TEST(nothing_is_started_before_a_node_has_registered_and_its_agent_has_answered) {
    Calls it;
    it.record(1, {0, 1, 2, 3});
    it.view.nodes[0].registered = false;
    ck_assert_text(it.look(), "");
    ck_assert(!it.caller.is_over() && it.is_held_back(1));
    it.view.nodes[0].registered = true;
    ck_assert_text(it.look(), "n0");
    ck_assert_text(it.look(), "");
    ck_assert(!it.caller.is_over() && it.is_held_back(1));
    it.look(0ms, {{"n0", wire::Roll{"n0", {{1, {0}, 7}}}}});
    ck_assert(it.caller.is_over() && !it.is_held_back(1));
}
END_TEST

START_TEST(job_that_slurmctld_has_lost_is_waited_for_where_it_lives) {
    Calls it;
    it.record(1, {0, 1, 2, 3});
    it.record(2, {4});
    it.hear({{1, {0}, 7}, {3, {1, 2, 3}, 8}});
    ck_assert(!it.caller.is_over());
    ck_assert(it.is_held_back(1) && !it.is_held_back(2));
    ck_assert_text(it.look(400ms), "");
    ck_assert_text(it.look(500ms), "n0");
    it.look(500ms, {{"n0", wire::Roll{"n0", {{1, {0}, 7}}}}});
    ck_assert(it.caller.is_over() && !it.is_held_back(1));
}
END_TEST

START_TEST(lost_run_of_a_waiting_job_is_waited_for_until_its_epilog_is_over) {
    Calls it;
    it.record(1, {0, 1});
    it.view.queue.emplace_back().id = 3;
    it.hear({{3, {0}, 8, false}, {4, {1}, 8, false}});
    ck_assert(!it.caller.is_over() && !it.is_held_back(1));
    it.hear({{4, {1}, 8, false}}, 500ms);
    ck_assert(it.caller.is_over());
}
END_TEST

const struct {
    const char *name;
    JobState recorded;
    std::optional<std::uint32_t> run; // that lives; 2 is recorded
    bool is_over;
} runs[] = {
    {"an earlier run", JobState::running, 1, false},
    {"this run", JobState::running, 2, true},
    {"a run that slurmctld has lost", JobState::running, 3, true},
    {"an agent that does not tell", JobState::running, std::nullopt, true},
    {"a run that completes", JobState::completing, 1, true},
};

START_TEST(lost_run_of_a_job_that_runs_again_is_waited_for) {
    Calls it;
    JobView &job = it.record(1, {0, 1});
    job.state = runs[_i].recorded;
    job.run = 2;
    it.hear({{1, {0}, 8, true, runs[_i].run}});
    ck_assert_msg(it.caller.is_over() == runs[_i].is_over, "%s", runs[_i].name);
}
END_TEST

START_TEST(lost_job_that_the_agent_does_not_know_may_be_on_any_core) {
    Calls it;
    it.record(1, {0});
    it.hear({{3}});
    ck_assert(!it.caller.is_over() && it.is_held_back(1));
}
END_TEST

START_TEST(job_that_is_wider_than_recorded_is_told_first) {
    Calls it;
    it.record(1, {0});
    it.record(2, {1, 2, 3});
    it.hear({{1, {0, 1, 2, 3}, 7}});
    ck_assert(!it.caller.is_over());
    ck_assert(!it.is_held_back(1) && it.is_held_back(2));
    it.hear({{1, {0}, 9}}, 500ms);
    ck_assert(it.caller.is_over() && !it.is_held_back(2));
}
END_TEST

START_TEST(nodes_where_jobs_may_live_otherwise_are_closed) {
    Calls it;
    it.add_node(1).registered = false;
    it.add_node(2);
    it.record(1, {0});
    it.record(2, {0}, 1);
    ck_assert((it.unchecked() == Calls::Nodes{0, 1, 2}));
    it.hear({{1, {0, 1}, 7}});
    ck_assert((it.unchecked() == Calls::Nodes{0, 1, 2}));
    it.hear({{1, {0}, 9}}, 500ms);
    ck_assert((it.unchecked() == Calls::Nodes{1, 2}));
    it.look(30s);
    ck_assert((it.unchecked() == Calls::Nodes{1}));
    it.view.nodes[1].registered = true;
    it.look(40s);
    ck_assert((it.unchecked() == Calls::Nodes{1}));
    it.look(40s, {{"n1", wire::Roll{"n1", {}}}});
    ck_assert(it.unchecked().empty());
}
END_TEST

START_TEST(node_without_jobs_is_waited_for_and_closed) {
    Calls it;
    it.view.nodes[0].registered = it.view.nodes[0].usable = false;
    it.look();
    ck_assert(!it.caller.is_over() && it.unchecked() == Calls::Nodes{0});
    it.view.queue.emplace_back().id = 3;
    it.view.nodes[0].registered = it.view.nodes[0].usable = true;
    it.hear({{3, {0}, 8}}, 1s);
    ck_assert(!it.caller.is_over() && it.unchecked() == Calls::Nodes{0});
    it.hear({}, 2s);
    ck_assert(it.caller.is_over() && it.unchecked().empty());
}
END_TEST

START_TEST(node_that_comes_later_is_closed_until_it_has_been_asked) {
    Calls it;
    NodeView &late = it.add_node(1);
    late.registered = false;
    late.down = true;
    it.hear({});
    ck_assert(it.caller.is_over() && !it.caller.is_waiting());
    ck_assert((it.unchecked() == Calls::Nodes{1}));
    late.registered = true;
    ck_assert_text(it.look(1h), "n1");
    ck_assert(it.caller.is_over() && it.caller.is_waiting());
    ck_assert((it.unchecked() == Calls::Nodes{1}));
    it.look(1h, {{"n1", wire::Roll{"n1", {}}}});
    ck_assert(!it.caller.is_waiting() && it.unchecked().empty());
}
END_TEST

START_TEST(node_that_is_switched_off_may_be_started_on) {
    Calls it;
    NodeView &off = it.add_node(1);
    off.registered = false;
    off.switched_off = true;
    it.hear({});
    ck_assert(it.unchecked().empty());
}
END_TEST

START_TEST(suspended_job_and_ordinary_ones_are_in_nobodys_way) {
    Calls it;
    it.record(1, {0, 1});
    it.record(2, {0, 1}).state = JobState::suspended;
    it.record_ordinary(3, 0);
    it.hear({{2, {0, 1}, 7}, {3, {2}, 7}, {4, {7}, 8}}); // the last one is waited for
    ck_assert(!it.caller.is_over() && !it.is_held_back(1));
    it.hear({{2, {0, 1}, 7}, {3, {2}, 7}}, 500ms);
    ck_assert(it.caller.is_over());
}
END_TEST

START_TEST(lost_job_whose_number_an_ordinary_one_has_elsewhere_is_waited_for) {
    Calls it;
    it.add_node(1);
    it.record(1, {0, 1});
    it.record_ordinary(2, 1);
    it.hear({{2, {1}, 7}});
    ck_assert(it.is_held_back(1) && it.unchecked() == (Calls::Nodes{0, 1}));
    it.hear({}, 500ms);
    ck_assert(!it.is_held_back(1) && it.unchecked() == Calls::Nodes{1});
}
END_TEST

START_TEST(step_that_began_after_its_jobs_epilog_may_be_on_any_core) {
    Calls it;
    it.record(1, {0, 1});
    it.record(2, {0, 1}, 1).state = JobState::completing;
    it.hear({{2}});
    ck_assert(it.is_held_back(1) && !it.caller.is_over());
    it.hear({}, 500ms);
    ck_assert(!it.is_held_back(1));
}
END_TEST

START_TEST(node_that_hangs_is_waited_for_thirty_seconds_and_its_jobs_until_it_is_back) {
    Calls it;
    it.add_node(1).registered = false;
    it.record(1, {0}, 1);
    it.hear({});
    ck_assert(!it.caller.is_over());
    it.look(29999ms);
    ck_assert(!it.caller.is_over());
    it.look(30s);
    ck_assert(it.caller.is_over() && it.is_held_back(1));
    it.view.nodes[1].registered = true;
    ck_assert_text(it.look(40s), "n1");
    it.look(40s, {{"n1", wire::Roll{"n1", {{3, {0}, 7}}}}});
    ck_assert(it.is_held_back(1));
    it.look(69999ms);
    ck_assert(it.is_held_back(1));
    it.look(70s);
    ck_assert(!it.is_held_back(1));
}
END_TEST

START_TEST(where_nobody_is_malleable_nothing_is_looked_after) {
    Calls it;
    const View busy = std::exchange(it.view, View());
    ck_assert_text(it.look(), "");
    ck_assert(!it.caller.is_over() && !it.caller.is_waiting());
    it.view = busy;
    ck_assert_text(it.look(5s), "n0");
    ck_assert(!it.caller.is_over() && it.caller.is_waiting());
    it.look(5s, {{"n0", wire::Roll{"n0", {}}}});
    ck_assert(it.caller.is_over() && !it.caller.is_waiting());
    Calls later;
    later.view = View();
    later.look(30s);
    ck_assert(later.caller.is_over() && !later.caller.is_waiting());
}
END_TEST

START_TEST(node_that_refuses_three_calls_has_no_agent) {
    Calls it;
    for (int i = 0; i < 3; ++i) {
        ck_assert(!it.caller.is_over());
        ck_assert_text(it.look(i * 500ms), "n0");
        it.look(i * 500ms, {{"n0", std::nullopt, "Connection refused", true}});
    }
    ck_assert(it.caller.is_over());
}
END_TEST

START_TEST(agent_that_does_not_answer_is_waited_for) {
    Calls it;
    for (int i = 0; i < 10; ++i) {
        ck_assert_text(it.look(i * 500ms), "n0");
        const bool refuses = i % 3 == 2;
        it.look(i * 500ms, {{"n0", std::nullopt, "peer has hung up", refuses}});
        ck_assert(!it.caller.is_over());
    }
    it.look(30s);
    ck_assert(it.caller.is_over());
}
END_TEST

START_TEST(nodes_that_are_down_or_switched_off_are_not_waited_for) {
    Calls it;
    it.add_node(1).registered = it.add_node(2).registered = false;
    it.view.nodes[1].down = true;
    it.view.nodes[2].switched_off = true;
    it.hear({});
    ck_assert(it.caller.is_over());
}
END_TEST

START_TEST(next_target_is_above_what_agents_have) {
    Calls it;
    const wire::Generation known = it.ledger.next_generation() + 1000;
    it.hear({{1, {0}, known}});
    ck_assert_uint_eq(it.ledger.next_generation(), known + 1);
}
END_TEST

START_TEST(job_that_has_been_told_is_not_held_back) {
    Calls it;
    it.ledger.of(it.record(1, {0, 1})).target.on(TargetEvent::due);
    it.hear({{3, {0}, 7}});
    ck_assert(!it.is_held_back(1));
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("caller");
    tcase_add_test(tests,
                   nothing_is_started_before_a_node_has_registered_and_its_agent_has_answered);
    tcase_add_test(tests, job_that_slurmctld_has_lost_is_waited_for_where_it_lives);
    tcase_add_test(tests, lost_run_of_a_waiting_job_is_waited_for_until_its_epilog_is_over);
    tcase_add_loop_test(tests, lost_run_of_a_job_that_runs_again_is_waited_for, 0,
                        static_cast<int>(std::size(runs)));
    tcase_add_test(tests, lost_job_that_the_agent_does_not_know_may_be_on_any_core);
    tcase_add_test(tests, job_that_is_wider_than_recorded_is_told_first);
    tcase_add_test(tests, nodes_where_jobs_may_live_otherwise_are_closed);
    tcase_add_test(tests, node_without_jobs_is_waited_for_and_closed);
    tcase_add_test(tests, node_that_comes_later_is_closed_until_it_has_been_asked);
    tcase_add_test(tests, node_that_is_switched_off_may_be_started_on);
    tcase_add_test(tests, suspended_job_and_ordinary_ones_are_in_nobodys_way);
    tcase_add_test(tests, lost_job_whose_number_an_ordinary_one_has_elsewhere_is_waited_for);
    tcase_add_test(tests, step_that_began_after_its_jobs_epilog_may_be_on_any_core);
    tcase_add_test(tests,
                   node_that_hangs_is_waited_for_thirty_seconds_and_its_jobs_until_it_is_back);
    tcase_add_test(tests, where_nobody_is_malleable_nothing_is_looked_after);
    tcase_add_test(tests, node_that_refuses_three_calls_has_no_agent);
    tcase_add_test(tests, agent_that_does_not_answer_is_waited_for);
    tcase_add_test(tests, nodes_that_are_down_or_switched_off_are_not_waited_for);
    tcase_add_test(tests, next_target_is_above_what_agents_have);
    tcase_add_test(tests, job_that_has_been_told_is_not_held_back);
    return run("caller", tests);
}
