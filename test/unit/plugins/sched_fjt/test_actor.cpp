// SPDX-License-Identifier: GPL-2.0-or-later
//
// What sched/fjt does with a decision when Slurm refuses, and what it leaves undone.
#include "plugins/sched_fjt/stage.hpp"
#include "run.hpp"

#include <slurm/slurm_errno.h>

#include <chrono>

using namespace vmall;
using namespace vmall::sched;

namespace {

struct Acting : Stage {
    using Stage::Stage;
    Refusals refusals;

    bool act(const std::vector<policy::Action> &actions) {
        return actor.act(view, actions, refusals, TimeLimit(std::chrono::hours(1)));
    }
};

policy::Start start(JobNumber id, bool backfilled = false) {
    policy::Start result;
    result.id = {id};
    result.processes = 8;
    result.nodes = 1;
    result.cores_per_node = 8;
    result.backfilled = backfilled;
    return result;
}

policy::Start backfilled(JobNumber id) {
    return start(id, true);
}

START_TEST(a_refused_start_in_the_order_of_the_queue_ends_the_round) {
    Acting stage(2);
    glue.start_errors[1] = ESLURM_NODES_BUSY;
    ck_assert(stage.act({start(1), start(2)}));
    ck_assert(glue.tried == Jobs{1});
    ck_assert(stage.refusals.count(1));
}
END_TEST

START_TEST(a_refused_backfilled_start_does_not) {
    Acting stage(2);
    glue.start_errors[1] = ESLURM_NODES_BUSY;
    ck_assert(stage.act({backfilled(1), backfilled(2)}));
    ck_assert(glue.tried == (Jobs{1, 2}));
    ck_assert(stage.refusals.at(1).backfilled_at == up_for);
    ck_assert(!stage.refusals.count(2));
}
END_TEST

START_TEST(nothing_is_learnt_from_a_start_that_somebody_else_was_faster_with) {
    Acting stage(2);
    glue.start_errors = {{1, ESLURM_JOB_NOT_PENDING}, {2, ESLURM_JOB_NOT_PENDING}};
    ck_assert(!stage.act({start(1), start(2)}));
    ck_assert(glue.tried == (Jobs{1, 2}));
    ck_assert(stage.refusals.empty());
    ck_assert(glue.asked_for_prospect.empty());
    ck_assert(glue.asked_for_expected_start.empty());
}
END_TEST

START_TEST(nothing_is_started_when_the_time_is_up) {
    Acting stage(1);
    const TimeLimit limit(std::chrono::microseconds(0));
    while (!limit.is_up())
        ;
    ck_assert(stage.actor.act(stage.view, {start(1)}, stage.refusals, limit));
    ck_assert(glue.tried.empty());
}
END_TEST

START_TEST(a_refused_job_is_tried_in_its_other_sizes) {
    Acting stage(1);
    glue.start_errors[1] = ESLURM_NODES_BUSY;
    glue.prospect = [](const vmall_start &asked) {
        return asked.shape->tasks <= 4 ? VMALL_WOULD_START : VMALL_WOULD_WAIT;
    };
    stage.act({start(1)});
    ck_assert(stage.refusals.at(1).startable == 4);
}
END_TEST

START_TEST(one_whose_lock_another_cluster_has_is_not) {
    Acting stage(1);
    glue.start_errors[1] = ESLURM_FED_JOB_LOCK;
    glue.expected_start = noon + 60;
    ck_assert(stage.act({start(1)}));
    ck_assert(!stage.refusals.at(1).startable);
    ck_assert(!stage.refusals.at(1).expected);
    ck_assert(glue.asked_for_prospect.empty());
    ck_assert(glue.asked_for_expected_start.empty());
}
END_TEST

START_TEST(slurm_is_asked_when_the_head_starts_and_not_when_all_the_others) {
    Acting stage(2);
    glue.start_errors = {{1, ESLURM_NODES_BUSY}, {2, ESLURM_NODES_BUSY}};
    glue.expected_start = noon + 60;
    stage.act({backfilled(2), start(1)});
    ck_assert(glue.asked_for_expected_start == Jobs{1});
    ck_assert(stage.refusals.at(1).expected == noon + 60);
    ck_assert(!stage.refusals.at(2).expected);
    stage.config.policy.queue_discipline = "conservative";
    stage.act({backfilled(2)});
    ck_assert(stage.refusals.at(2).expected == noon + 60);
}
END_TEST

START_TEST(a_start_preempts_nobody) {
    Acting stage(1);
    stage.view.preemption = true;
    glue.prospect = [](const vmall_start &) { return VMALL_WOULD_PREEMPT; };
    ck_assert(stage.act({start(1)}));
    ck_assert(glue.tried.empty());
    ck_assert(stage.refusals.count(1));
}
END_TEST

const std::vector<policy::Action> fold_for_the_head = {policy::Resize{{9}, {{{0}, 4}}, {{1}}}};

START_TEST(nobody_is_folded_for_a_job_that_would_not_start_then) {
    Acting stage(1);
    stage.run_one();
    glue.expected_start = noon + 60;
    glue.prospect = [](const vmall_start &) {
        ck_assert_uint_eq(glue.believed_cores.at(9), 4);
        return VMALL_WOULD_WAIT;
    };
    ck_assert(stage.act(fold_for_the_head));
    ck_assert_uint_eq(glue.believed_cores.at(9), 8);
    ck_assert_ptr_null(stage.ledger.find(9)->target.under_way_fold());
    ck_assert(stage.refusals.at(1).expected == noon + 60);
}
END_TEST

START_TEST(jobs_are_folded_for_one_that_would) {
    Acting stage(1);
    stage.run_one();
    ck_assert(!stage.act(fold_for_the_head)); // the nodes have not confirmed it
    ck_assert_uint_eq(glue.believed_cores.at(9), 8);
    ck_assert_uint_eq(stage.ledger.find(9)->target.under_way_fold()->keep.at(0).size(), 4);
    ck_assert(stage.refusals.empty());
}
END_TEST

struct Fold {
    const char *name;
    policy::Cause why;
    std::optional<JobNumber> for_job; // as it is noted
};

constexpr Fold folds[] = {
    {"for the head", policy::Cause::room, 1},
    {"for the head, beyond its window", policy::Cause::window, 1},
    {"for all of the node", policy::Cause::sharing, std::nullopt},
};

START_TEST(it_is_noted_what_a_job_is_folded_for) {
    const Fold &row = folds[_i];
    Acting stage(1);
    stage.run_one();
    policy::Resize fold{{9}, {{{0}, 4}}};
    fold.makes_room_for = policy::JobId{1};
    fold.why = row.why;
    stage.act({fold});
    const Purpose &noted = stage.ledger.find(9)->target.under_way_fold()->purpose;
    ck_assert_msg(noted.cause == row.why && noted.for_job == row.for_job, "%s", row.name);
}
END_TEST

START_TEST(a_job_that_cannot_be_requeued_is_left_alone_for_a_while) {
    Acting stage(0);
    stage.run_one();
    glue.requeue_error = ESLURM_DISABLED;
    ck_assert(!stage.act({policy::Requeue{{9}}}));
    ck_assert_int_eq(stage.ledger.find(9)->target.rests_until(),
                     up_for + stage.config.resize_retry_interval);
    ck_assert_uint_eq(stage.counters.requeues, 0);
}
END_TEST

} // namespace

int main() {
    TCase *acting = tcase_create("acting");
    tcase_add_test(acting, a_refused_start_in_the_order_of_the_queue_ends_the_round);
    tcase_add_test(acting, a_refused_backfilled_start_does_not);
    tcase_add_test(acting, nothing_is_learnt_from_a_start_that_somebody_else_was_faster_with);
    tcase_add_test(acting, nothing_is_started_when_the_time_is_up);
    tcase_add_test(acting, a_refused_job_is_tried_in_its_other_sizes);
    tcase_add_test(acting, one_whose_lock_another_cluster_has_is_not);
    tcase_add_test(acting, slurm_is_asked_when_the_head_starts_and_not_when_all_the_others);
    tcase_add_test(acting, a_start_preempts_nobody);
    tcase_add_test(acting, nobody_is_folded_for_a_job_that_would_not_start_then);
    tcase_add_test(acting, jobs_are_folded_for_one_that_would);
    tcase_add_loop_test(acting, it_is_noted_what_a_job_is_folded_for, 0, std::size(folds));
    tcase_add_test(acting, a_job_that_cannot_be_requeued_is_left_alone_for_a_while);
    return run("actor", {acting});
}
