// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is seen of jobs while slurm.conf contradicts.
#include "plugins/sched_fjt/fake_glue.hpp"
#include "plugins/sched_fjt/see/look.hpp"
#include "run.hpp"

#include <iterator>

using namespace vmall::sched;

namespace {

// Job 1, on four cores.
void run_one_that_asked() {
    static const char *const asked[] = {"VMALL_PROCS=4"};
    vmall_job &job = glue.active[1] = {};
    job.applicant.spank_environment = asked;
    job.applicant.spank_environment_count = 1;
    job.id = 1;
    job.state = VMALL_JOB_RUNNING;
    job.tasks = 4;
    for (const char **text : {&job.name, &job.partition, &job.qos, &job.account})
        *text = "";
}

void expect_malleable(bool expected) {
    run_one_that_asked();
    View all;
    look_again(all);
    ck_assert(all.active.at(1).virtually_malleable == expected);
    const View one = look_at_job(1, {});
    ck_assert(one.active.at(1).virtually_malleable == expected);
    ck_assert_uint_eq(one.active.at(1).cores.at(0).size(), 4);
}

START_TEST(a_job_that_asked_is_malleable) {
    expect_malleable(true);
}
END_TEST

// The node has a thread per core.
START_TEST(tasks_are_counted_in_cores) {
    run_one_that_asked();
    static const vmall_node_count held[] = {{0, 4, 0}};
    glue.active[1].allotment = held;
    glue.active[1].allotment_count = 1;
    for (const std::uint32_t cpus : {1u, 3u}) {
        glue.active[1].cpus_per_task = cpus;
        View all;
        look_again(all);
        ck_assert_int_eq(all.active.at(1).cores_per_task, static_cast<int>(cpus));
        ck_assert_int_eq(look_at_job(1, {}).active.at(1).cores_per_task, static_cast<int>(cpus));
    }
}
END_TEST

START_TEST(memory_is_shown_where_slurm_counts_it) {
    run_one_that_asked();
    static const vmall_node_count held[] = {{0, 2, 300}, {1, 2, 0}};
    glue.active[1].allotment = held;
    glue.active[1].allotment_count = 2;
    View all;
    look_again(all);
    const std::map<NodeNumber, std::uint64_t> counted = {{0, 300}};
    ck_assert(all.active.at(1).memory_held == counted);
}
END_TEST

struct Gres {
    std::uint32_t cpus; // that they bring
    std::uint32_t cpus_per_task;
    const char *sizes;
    int cores_per_task;
};

const Gres gres[] = {
    {0, 1, "VMALL_PROCS=4", 1}, {4, 1, "VMALL_PROCS=4", 1},    {16, 1, "VMALL_PROCS=4", 4},
    {6, 1, "VMALL_PROCS=4", 2}, {16, 1, "VMALL_PROCS=2,8", 2}, {4, 3, "VMALL_PROCS=4", 3},
};

// However many of its sizes' processes run, as many for each.
START_TEST(cpus_that_gres_bring_are_those_of_the_largest_size) {
    run_one_that_asked();
    static const vmall_node_count held[] = {{0, 4, 0}};
    vmall_job &job = glue.active[1];
    job.allotment = held;
    job.allotment_count = 1;
    job.gres_cpus = gres[_i].cpus;
    job.cpus_per_task = gres[_i].cpus_per_task;
    job.applicant.spank_environment = &gres[_i].sizes;
    ck_assert_int_eq(look_at_job(1, {}).active.at(1).cores_per_task, gres[_i].cores_per_task);
}
END_TEST

START_TEST(nobody_is_where_jobs_would_share_cores) {
    glue.contradiction = "slurm.conf: PreemptMode=GANG";
    expect_malleable(false);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("look");
    tcase_add_test(tests, a_job_that_asked_is_malleable);
    tcase_add_test(tests, tasks_are_counted_in_cores);
    tcase_add_test(tests, memory_is_shown_where_slurm_counts_it);
    tcase_add_loop_test(tests, cpus_that_gres_bring_are_those_of_the_largest_size, 0,
                        static_cast<int>(std::size(gres)));
    tcase_add_test(tests, nobody_is_where_jobs_would_share_cores);
    return run("look", tests);
}
