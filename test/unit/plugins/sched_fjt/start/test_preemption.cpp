// SPDX-License-Identifier: GPL-2.0-or-later
//
// For whom Slurm is asked to preempt, and when.
#include "plugins/sched_fjt/stage.hpp"
#include "policy/reasons.hpp"
#include "run.hpp"

#include <slurm/slurm_errno.h>

using namespace vmall;
using namespace vmall::sched;

namespace {

// Where Slurm would preempt for whoever asks.
struct Urgent : Stage {
    explicit Urgent(JobNumber waiting) : Stage(waiting) {
        view.preemption = true;
        config.resize_retry_interval = 0;
        glue.prospect = [](const vmall_start &) { return VMALL_WOULD_PREEMPT; };
        for (JobNumber id = 1; id <= waiting; id++)
            glue.start_errors[id] = ESLURM_NODES_BUSY; // they need time to end
    }

    void preempt(Jobs that_wait) {
        std::vector<policy::Action> actions;
        for (const JobNumber id : that_wait)
            actions.push_back(policy::Wait{{id}, policy::Reason{policy::Reason::Kind::cores, 2}});
        preemption.preempt(view, actions);
    }
};

START_TEST(one_job_at_a_time_preempts) {
    Urgent stage(2);
    stage.preempt({1, 2});
    ck_assert(glue.tried == Jobs{1});
    ck_assert(glue.asked_for_prospect == Jobs{1});
}
END_TEST

START_TEST(the_next_one_does_if_it_would_not_help_the_first) {
    Urgent stage(3);
    glue.prospect = [](const vmall_start &asked) {
        return asked.job_id == 2 ? VMALL_WOULD_PREEMPT : VMALL_WOULD_WAIT;
    };
    stage.preempt({1, 2, 3});
    ck_assert(glue.tried == Jobs{2});
}
END_TEST

START_TEST(no_more_than_five_are_asked_about) {
    Urgent stage(7);
    glue.prospect = [](const vmall_start &) { return VMALL_WOULD_WAIT; };
    stage.preempt({1, 2, 3, 4, 5, 6, 7});
    ck_assert(glue.asked_for_prospect == (Jobs{1, 2, 3, 4, 5}));
    ck_assert(glue.tried.empty());
}
END_TEST

START_TEST(who_may_preempt_is_asked_once_for_a_partition_and_qos) {
    Urgent stage(4);
    glue.may_not_preempt = {1, 2, 3, 4};
    stage.view.queue[2].partition = "other";
    stage.view.queue[3].qos = "other";
    stage.preempt({1, 2, 3, 4});
    ck_assert(glue.asked_for_preemption == (Jobs{1, 3, 4}));
    ck_assert(glue.tried.empty());
}
END_TEST

START_TEST(a_job_preempts_when_it_has_been_held_up_for_long_enough) {
    Urgent stage(1);
    stage.config.resize_retry_interval = 10;
    stage.preempt({1});
    stage.view.steady += 9;
    stage.preempt({1});
    ck_assert(glue.tried.empty());
    stage.view.steady += 1;
    stage.preempt({1});
    ck_assert(glue.tried == Jobs{1});
}
END_TEST

START_TEST(and_not_when_its_cores_are_being_freed) {
    Urgent stage(1);
    stage.preemption.preempt(stage.view, {policy::Wait{{1}, policy::reasons::being_freed}});
    ck_assert(glue.asked_for_preemption.empty());
}
END_TEST

} // namespace

int main() {
    TCase *preempting = tcase_create("preempting");
    tcase_add_test(preempting, one_job_at_a_time_preempts);
    tcase_add_test(preempting, the_next_one_does_if_it_would_not_help_the_first);
    tcase_add_test(preempting, no_more_than_five_are_asked_about);
    tcase_add_test(preempting, who_may_preempt_is_asked_once_for_a_partition_and_qos);
    tcase_add_test(preempting, a_job_preempts_when_it_has_been_held_up_for_long_enough);
    tcase_add_test(preempting, and_not_when_its_cores_are_being_freed);
    return run("preemption", {preempting});
}
