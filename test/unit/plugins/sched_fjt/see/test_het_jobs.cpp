// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where heterogeneous jobs stand in the queue.
#include "plugins/sched_fjt/see/het_jobs.hpp"

#include "run.hpp"

#include <initializer_list>
#include <vector>

namespace {

using namespace vmall::sched;

JobView job(JobNumber id) {
    JobView result;
    result.id = id;
    return result;
}

JobView component(JobNumber id, JobNumber het_job, std::uint32_t components) {
    JobView result = job(id);
    result.het_job = het_job;
    result.het_components = components;
    return result;
}

void expect_order(const std::vector<JobView> &queue, std::initializer_list<JobNumber> ids) {
    std::vector<JobNumber> found;
    for (const JobView &job : with_het_jobs_in_place(queue))
        found.push_back(job.id);
    ck_assert(found == std::vector<JobNumber>(ids));
}

START_TEST(without_heterogeneous_jobs_the_queue_stays) {
    expect_order({}, {});
    expect_order({job(3), job(1), job(2)}, {3, 1, 2});
}
END_TEST

START_TEST(components_that_stand_together_stay_there) {
    expect_order({job(1), component(2, 2, 2), component(3, 2, 2), job(4)}, {1, 2, 3, 4});
}
END_TEST

START_TEST(components_wait_for_the_last_one) {
    expect_order({component(2, 2, 2), job(4), component(3, 2, 2), job(5)}, {4, 2, 3, 5});
}
END_TEST

START_TEST(heterogeneous_jobs_do_not_wait_for_each_other) {
    expect_order({component(2, 2, 2), component(4, 4, 2), component(3, 2, 2), component(5, 4, 2)},
                 {2, 3, 4, 5});
}
END_TEST

START_TEST(nobody_waits_for_one_of_which_a_component_is_missing) {
    expect_order({component(2, 2, 2), job(4)}, {4});
    expect_order({component(2, 2, 0), job(4)}, {4});
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("het jobs");
    tcase_add_test(tests, without_heterogeneous_jobs_the_queue_stays);
    tcase_add_test(tests, components_that_stand_together_stay_there);
    tcase_add_test(tests, components_wait_for_the_last_one);
    tcase_add_test(tests, heterogeneous_jobs_do_not_wait_for_each_other);
    tcase_add_test(tests, nobody_waits_for_one_of_which_a_component_is_missing);
    return run("het jobs", tests);
}
