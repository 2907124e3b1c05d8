// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a policy counts of memory, which jobs wait for it, and how many cores nobody can use for
// want of it.
#include "plugins/sched_fjt/decide/snapshot.hpp"
#include "plugins/sched_fjt/see/memory.hpp"
#include "policy/reasons.hpp"
#include "run.hpp"

#include <limits>
#include <utility>
#include <vector>

using namespace vmall;
using namespace vmall::sched;

namespace {

constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();

// Two nodes of four cores with two threads each, and 1000 MiB.
View machine() {
    View view;
    for (NodeNumber index : {0u, 1u}) {
        NodeView &node = view.nodes[index];
        node.usable = true;
        node.cores = 4;
        node.threads_per_core = 2;
        node.memory = 1000;
    }
    return view;
}

void hold(View &view, JobNumber id, NodeNumber node, int cores, std::uint64_t memory) {
    JobView &job = view.active[id];
    job.id = id;
    job.state = JobState::running;
    job.virtually_malleable = true;
    job.time_limit = 3600;
    job.tasks = cores;
    job.allotment = {{{node}, cores}};
    job.memory_held[node] = memory;
}

JobView waiting(policy::Sizes sizes, MemoryRequest memory) {
    JobView job;
    job.id = 9;
    job.virtually_malleable = true;
    job.time_limit = 3600;
    job.request.sizes = std::move(sizes);
    job.eligible = {{0}, {1}};
    job.memory = memory;
    return job;
}

policy::Reason told(View view, const JobView &job, policy::Reason why = policy::reasons::cores(4)) {
    view.queue.push_back(job);
    const auto actions = with_memory_told(view, {policy::Wait{{job.id}, why}});
    return std::get<policy::Wait>(actions.front()).why;
}

void waits_for_memory(const View &view, const JobView &job, bool expected) {
    ck_assert_int_eq(told(view, job) == policy::reasons::memory, expected);
}

START_TEST(a_job_waits_for_memory_that_no_node_has) {
    View view = machine();
    hold(view, 1, 0, 2, 600);
    hold(view, 2, 1, 2, 601);
    waits_for_memory(view, waiting({1}, {0, 400}), false);
    waits_for_memory(view, waiting({1}, {0, 401}), true);
    hold(view, 3, 0, 1, 1);
    waits_for_memory(view, waiting({1}, {0, 400}), true);
}
END_TEST

START_TEST(memory_of_each_cpu_goes_by_the_smallest_size) {
    View view = machine();
    hold(view, 1, 0, 2, 600);
    hold(view, 2, 1, 2, 600);
    waits_for_memory(view, waiting({2, 4}, {100, 0}), false); // two tasks of two CPUs
    waits_for_memory(view, waiting({2, 4}, {101, 0}), true);
    JobView one_thread = waiting({4}, {100, 0});
    one_thread.threads_per_core = 1;
    waits_for_memory(view, one_thread, false);
    JobView spread = waiting({4}, {100, 0});
    waits_for_memory(view, spread, true);
    spread.min_nodes = 2;
    waits_for_memory(view, spread, false);
}
END_TEST

START_TEST(all_memory_of_a_node_is_there_only_while_nobody_holds_any) {
    View view = machine();
    hold(view, 1, 0, 1, 1);
    waits_for_memory(view, waiting({1}, {0, all}), false);
    hold(view, 2, 1, 1, 1);
    waits_for_memory(view, waiting({1}, {0, all}), true);
}
END_TEST

START_TEST(memory_that_is_not_counted_keeps_nobody_waiting) {
    View view = machine();
    hold(view, 1, 0, 4, 1000);
    hold(view, 2, 1, 4, 1000);
    waits_for_memory(view, waiting({8}, {0, 0}), false);
}
END_TEST

START_TEST(who_waits_for_others_or_did_not_ask_is_told_what_the_policy_says) {
    View view = machine();
    hold(view, 1, 0, 2, 1000);
    hold(view, 2, 1, 2, 1000);
    JobView job = waiting({1}, {0, 1});
    ck_assert(told(view, job, policy::reasons::refused) == policy::reasons::memory);
    const policy::Reason behind = policy::reasons::would_delay({1});
    ck_assert(told(view, job, behind) == behind);
    job.virtually_malleable = false;
    waits_for_memory(view, job, false);
}
END_TEST

// Cores that could have been had for a job on so many processes, which waits for memory or cores.
std::uint64_t without_memory(View view, int processes, policy::Reason why) {
    view.queue.push_back(waiting({processes}, {0, 1}));
    const policy::Snapshot seen = snapshot(view, Ledger(1), {}, {}, {});
    return cores_without_memory(seen, {policy::Wait{{9}, why}});
}

START_TEST(cores_are_unused_for_memory_that_are_free_or_can_be_lent) {
    View view = machine();
    hold(view, 1, 0, 4, 1000);
    hold(view, 2, 1, 3, 1000);
    // One is free, three and two can be lent; a folded start takes a quarter of its processes.
    ck_assert_uint_eq(without_memory(view, 8, policy::reasons::memory), 2);
    ck_assert_uint_eq(without_memory(view, 40, policy::reasons::memory), 6);
    ck_assert_uint_eq(without_memory(view, 8, policy::reasons::cores(4)), 0);
    for (auto &[id, job] : view.active)
        job.virtually_malleable = false;
    ck_assert_uint_eq(without_memory(view, 8, policy::reasons::memory), 1);
}
END_TEST

policy::Snapshot seen_by_a_policy(const View &view) {
    return snapshot(view, Ledger(1), {}, {}, {});
}

// MiB of each process and of each node that a policy counts.
using Counted = std::pair<std::int64_t, std::int64_t>;

Counted counted(const policy::Demand &job) {
    return {job.memory_per_process, job.memory_per_node};
}

struct Asked {
    const char *what;
    MemoryRequest memory;
    void (*also)(JobView &);
    Counted expected;
};

void nothing_else(JobView &) {}

const std::vector<Asked> asked = {
    {"nothing", {0, 0}, nothing_else, {0, 0}},
    {"for each of two CPUs", {100, 0}, nothing_else, {200, 0}},
    {"for each CPU of one thread",
     {100, 0},
     [](JobView &job) { job.threads_per_core = 1; },
     {100, 0}},
    {"for three CPUs, on two cores",
     {100, 0},
     [](JobView &job) { job.cpus_per_task = 3; },
     {400, 0}},
    {"for each node", {0, 300}, nothing_else, {0, 300}},
    {"all of each node, of the smallest", {0, all}, nothing_else, {0, 900}},
    {"by a job that did not ask: three CPUs of two cores",
     {100, 0},
     [](JobView &job) {
         job.virtually_malleable = false;
         job.tasks = 3;
     },
     {150, 0}},
    {"by one that takes its nodes whole",
     {100, 0},
     [](JobView &job) {
         job.virtually_malleable = false;
         job.whole_nodes = true;
     },
     {0, 0}},
};

START_TEST(a_policy_counts_what_a_waiting_job_asks_for) {
    const Asked &row = asked[_i];
    View view = machine();
    view.nodes[1].memory = 900;
    view.queue = {waiting({2}, row.memory)};
    row.also(view.queue[0]);
    ck_assert_msg(counted(seen_by_a_policy(view).waiting.at(0)) == row.expected, "%s", row.what);
}
END_TEST

START_TEST(a_policy_counts_the_fewest_threads_that_a_process_may_have) {
    View view = machine();
    view.nodes[1].threads_per_core = 1;
    view.queue = {waiting({1}, {100, 0})};
    ck_assert(counted(seen_by_a_policy(view).waiting.at(0)) == Counted(100, 0));
}
END_TEST

START_TEST(a_policy_counts_what_running_jobs_hold) {
    View view = machine();
    hold(view, 1, 0, 3, 301);
    view.active[1].allotment.push_back({{1}, 1});
    view.active[1].tasks = 4;
    view.active[1].memory_held[1] = 301;
    hold(view, 2, 0, 1, 50);
    hold(view, 3, 1, 1, 60);
    view.active[3].state = JobState::suspended; // which gives back cores alone
    policy::Snapshot seen = seen_by_a_policy(view);
    ck_assert(counted(seen.running.at(0)) == Counted(0, 301));
    ck_assert(counted(seen.running.at(1)) == Counted(0, 50));
    ck_assert_int_eq(seen.nodes[0].memory, 1000);
    ck_assert_int_eq(seen.nodes[0].free_memory, 649);
    ck_assert_int_eq(seen.nodes[1].free_memory, 639);
    view.active[1].memory_held[1] = 101; // three processes' here, one's there
    seen = seen_by_a_policy(view);
    ck_assert(counted(seen.running.at(0)) == Counted(100, 0));
    view.active[1].memory_held.erase(1); // where its partition does not count it
    ck_assert(counted(seen_by_a_policy(view).running.at(0)) == Counted(75, 0));
    hold(view, 2, 0, 1, 1000); // more than there is: the node's memory was set lower
    ck_assert_int_eq(seen_by_a_policy(view).nodes[0].free_memory, 0);
}
END_TEST

START_TEST(a_policy_counts_no_memory_while_nobody_asks_for_any) {
    View view = machine();
    hold(view, 1, 0, 1, 0);
    view.active[1].memory_held.clear();
    view.queue = {waiting({1}, {0, 0})};
    ck_assert_int_eq(seen_by_a_policy(view).nodes[0].memory, 0);
    ck_assert(counted(seen_by_a_policy(view).running.at(0)) == Counted(0, 0));
    view.queue[0].memory.of_each_cpu = 1;
    ck_assert_int_eq(seen_by_a_policy(view).nodes[0].free_memory, 1000);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("memory");
    tcase_add_loop_test(tests, a_policy_counts_what_a_waiting_job_asks_for, 0,
                        static_cast<int>(asked.size()));
    tcase_add_test(tests, a_policy_counts_the_fewest_threads_that_a_process_may_have);
    tcase_add_test(tests, a_policy_counts_what_running_jobs_hold);
    tcase_add_test(tests, a_policy_counts_no_memory_while_nobody_asks_for_any);
    tcase_add_test(tests, a_job_waits_for_memory_that_no_node_has);
    tcase_add_test(tests, memory_of_each_cpu_goes_by_the_smallest_size);
    tcase_add_test(tests, all_memory_of_a_node_is_there_only_while_nobody_holds_any);
    tcase_add_test(tests, memory_that_is_not_counted_keeps_nobody_waiting);
    tcase_add_test(tests, who_waits_for_others_or_did_not_ask_is_told_what_the_policy_says);
    tcase_add_test(tests, cores_are_unused_for_memory_that_are_free_or_can_be_lent);
    return run("memory", tests);
}
