// SPDX-License-Identifier: GPL-2.0-or-later
//
// The nodes that a job is kept to.
#include "plugins/sched_fjt/start/start_request.hpp"
#include "run.hpp"

#include <utility>

using namespace vmall;
using namespace vmall::sched;

namespace {

// Threads per core by node.
View machine(std::initializer_list<std::pair<NodeNumber, int>> nodes) {
    View view;
    for (const auto &[index, threads] : nodes) {
        view.nodes[index].cores = 4;
        view.nodes[index].threads_per_core = threads;
    }
    return view;
}

JobView job_on(std::vector<policy::NodeIndex> eligible) {
    JobView job;
    job.id = 1;
    job.virtually_malleable = true;
    job.eligible = policy::NodeSet(std::move(eligible));
    return job;
}

void expect_only(const View &view, const policy::Start &start,
                 const std::vector<std::uint32_t> &expected) {
    const JobView job = job_on({{0}, {1}, {2}, {3}});
    const StartRequest request(view, job, start);
    const vmall_start *got = request.get();
    ck_assert(std::vector<std::uint32_t>(got->only_nodes, got->only_nodes + got->only_node_count) ==
              expected);
}

START_TEST(nodes_that_are_all_alike_are_left_to_slurm) {
    expect_only(machine({{0, 1}, {1, 1}, {2, 1}, {3, 1}}), {}, {});
}
END_TEST

START_TEST(nodes_like_those_that_were_counted_on) {
    policy::Start start;
    start.counted_on = {{{2}, 4}};
    expect_only(machine({{0, 1}, {1, 2}, {2, 2}, {3, 1}}), start, {1, 2});
}
END_TEST

START_TEST(nodes_like_most_where_none_was_counted_on) {
    expect_only(machine({{0, 1}, {1, 2}, {2, 2}, {3, 2}}), {}, {1, 2, 3});
}
END_TEST

// Slurm's table is looked at after the queue.
START_TEST(node_that_is_gone_is_left_out) {
    expect_only(machine({{1, 2}, {2, 2}, {3, 1}}), {}, {1, 2});
    policy::Start start;
    start.counted_on = {{{3}, 4}};
    expect_only(machine({{1, 2}, {2, 2}, {3, 1}}), start, {3});
}
END_TEST

START_TEST(job_that_is_spread_unequally_has_its_tasks_by_node) {
    const View view = machine({{0, 1}, {1, 1}, {2, 1}, {3, 1}});
    JobView job = job_on({{0}, {1}, {2}, {3}});
    job.cores_per_task = job.cpus_per_task = 2;
    job.any_spread = true;
    policy::Start start;
    start.processes = 5;
    start.nodes = 2;
    start.mpl = 2;
    start.counted_on = {{{1}, 4}, {{3}, 2}};
    start.unfolded = {{{1}, 8}, {{3}, 2}};
    const StartRequest request(view, job, start);
    const vmall_start *got = request.get();
    ck_assert_uint_eq(got->only_node_count, 2);
    ck_assert_uint_eq(got->only_nodes[0], 1);
    ck_assert_uint_eq(got->only_nodes[1], 3);
    ck_assert_uint_eq(got->shape->cores, 6);
    ck_assert_uint_eq(got->shape->tasks_on[0], 4);
    ck_assert_uint_eq(got->shape->tasks_on[1], 1);
}
END_TEST

START_TEST(job_that_leaves_its_spread_open_has_its_tasks_by_node_though_they_are_equal) {
    const View view = machine({{0, 1}, {1, 1}});
    JobView job = job_on({{0}, {1}});
    job.any_spread = true;
    policy::Start start;
    start.processes = 4;
    start.nodes = 2;
    start.cores_per_node = 2;
    start.counted_on = start.unfolded = {{{0}, 2}, {{1}, 2}};
    const StartRequest request(view, job, start);
    ck_assert_uint_eq(request.get()->shape->cores, 0);
    ck_assert_uint_eq(request.get()->shape->tasks_on[0], 2);
    ck_assert_uint_eq(request.get()->shape->tasks_on[1], 2);
}
END_TEST

START_TEST(job_whose_spread_is_open_wants_as_many_cores_as_it_takes_at_its_mpl) {
    const View view = machine({{0, 1}, {1, 1}, {2, 1}, {3, 1}});
    JobView job = job_on({{0}, {1}, {2}, {3}});
    job.any_spread = true;
    policy::Start start;
    start.processes = 5;
    start.nodes = 2;
    start.mpl = 2;
    const StartRequest request(view, job, start);
    ck_assert_uint_eq(request.get()->only_node_count, 0);
    ck_assert_uint_eq(request.get()->shape->cores, 3);
    ck_assert_ptr_null(request.get()->shape->tasks_on);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("start request");
    tcase_add_test(tests, nodes_that_are_all_alike_are_left_to_slurm);
    tcase_add_test(tests, nodes_like_those_that_were_counted_on);
    tcase_add_test(tests, nodes_like_most_where_none_was_counted_on);
    tcase_add_test(tests, node_that_is_gone_is_left_out);
    tcase_add_test(tests, job_that_is_spread_unequally_has_its_tasks_by_node);
    tcase_add_test(tests,
                   job_that_leaves_its_spread_open_has_its_tasks_by_node_though_they_are_equal);
    tcase_add_test(tests, job_whose_spread_is_open_wants_as_many_cores_as_it_takes_at_its_mpl);
    return run("start request", tests);
}
