// SPDX-License-Identifier: GPL-2.0-or-later
//
// Over how many nodes jobs go that do not say.
#include "plugins/sched_fjt/see/fewest_nodes.hpp"
#include "run.hpp"

#include <vector>

using namespace vmall;
using namespace vmall::sched;

namespace {

struct Asked {
    const char *what;
    policy::Sizes sizes;
    void (*is_like)(JobView &job);
    int nodes;
};

void plain(JobView &) {}
void on_two(JobView &job) {
    job.min_nodes = 2;
}
void on_one_at_most(JobView &job) {
    job.max_nodes = 1;
}
void with_two_cores_each(JobView &job) {
    job.cpus_per_task = job.cores_per_task = 2;
}
void with_a_quarter_of_a_node_s_memory_each(JobView &job) {
    job.memory.of_each_cpu = 4000;
}
void with_six_on_a_node(JobView &job) {
    job.tasks_per_node = 6;
}
void with_more_memory_than_there_is(JobView &job) {
    job.memory.of_each_cpu = std::uint64_t{1} << 62;
    job.cpus_per_task = 4;
}

void anyhow(JobView &job) {
    job.any_spread = true;
}

// On nodes of 16, 8, 8 and 8 cores.
const std::vector<Asked> jobs = {
    {"fits one node", {16}, plain, 1},
    {"as many as asked for", {8}, on_two, 2},
    {"equally many tasks on each: 9 of 17 on two, which only one node takes", {17}, plain, 3},
    {"all nodes", {32}, plain, 4},
    {"more than there is", {33}, plain, 1},
    {"the largest size that fits", {64, 24}, plain, 3},
    {"no more than asked for", {17, 12}, on_one_at_most, 1},
    {"tasks of two cores", {9}, with_two_cores_each, 3},
    {"as many on each as the user lets there be", {8}, with_six_on_a_node, 2},
    {"memory", {8}, with_a_quarter_of_a_node_s_memory_each, 2},
    {"not equally: 16 of 17 on the widest", {17}, anyhow, 2},
    {"not equally: all", {40}, anyhow, 4},
    {"not equally: the largest size that fits", {64, 24}, anyhow, 2},
    {"not equally: no size fits", {64}, anyhow, 4},
    {"memory that no node has", {8}, with_more_memory_than_there_is, 1},
};

START_TEST(as_many_as_its_tasks_take) {
    View view;
    for (NodeNumber index = 0; index < 4; ++index) {
        NodeView &node = view.nodes[index];
        node.cores = index == 0 ? 16 : 8;
        node.memory = 16000;
    }
    NodeKinds kinds(view);
    const Asked &asked = jobs[static_cast<std::size_t>(_i)];
    JobView job;
    job.virtually_malleable = true;
    job.eligible = policy::NodeSet({{0}, {1}, {2}, {3}});
    job.request.sizes = asked.sizes;
    asked.is_like(job);
    ck_assert_msg(fewest_nodes(job, kinds) == asked.nodes, "%s: %d", asked.what,
                  fewest_nodes(job, kinds));
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("fewest nodes");
    tcase_add_loop_test(tests, as_many_as_its_tasks_take, 0, static_cast<int>(jobs.size()));
    return run("fewest nodes", tests);
}
