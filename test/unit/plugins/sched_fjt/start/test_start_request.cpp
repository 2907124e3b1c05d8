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

} // namespace

int main() {
    TCase *tests = tcase_create("start request");
    tcase_add_test(tests, nodes_that_are_all_alike_are_left_to_slurm);
    tcase_add_test(tests, nodes_like_those_that_were_counted_on);
    tcase_add_test(tests, nodes_like_most_where_none_was_counted_on);
    tcase_add_test(tests, node_that_is_gone_is_left_out);
    return run("start request", tests);
}
