// SPDX-License-Identifier: GPL-2.0-or-later
//
// What vmctl is told of a busy centre: all of it, page by page, in the order of the queue.
#include "control/seal.hpp"
#include "plugins/sched_fjt/answer/status.hpp"
#include "run.hpp"

using namespace vmall;
using namespace vmall::sched;

namespace {

constexpr JobNumber many = 10000;

JobView job_of(JobNumber id) {
    JobView job;
    job.id = id;
    job.name = "a job";
    job.partition = "main";
    job.virtually_malleable = true;
    job.tasks = 4;
    return job;
}

// As many pages as there are.
template <typename Row>
std::vector<Row> told(const Status &status, control::Ask ask,
                      std::vector<Row> (*decode)(const std::string &)) {
    std::vector<Row> rows;
    for (control::Query query{ask};;) {
        const std::string page = status.answer(query);
        ck_assert_uint_le(page.size(), control::highest_payload_bytes);
        control::append(rows, decode(page));
        const auto next = control::decode_next(page);
        if (!next)
            return rows;
        query.from = *next;
    }
}

START_TEST(before_the_first_pass_there_is_nothing) {
    const Status status;
    ck_assert(told(status, control::Ask::jobs, control::decode_jobs).empty());
    ck_assert(told(status, control::Ask::queue, control::decode_queue).empty());
    ck_assert(control::decode_stats(status.answer({control::Ask::stats})).empty());
}
END_TEST

START_TEST(ten_thousand_jobs_on_two_nodes_each_are_told) {
    View view;
    view.nodes[0].name = "n1";
    view.nodes[1].name = "n2";
    for (JobNumber id = many; id > 0; --id) {
        JobView job = job_of(id);
        job.state = JobState::running;
        job.cores = {{0, {1}}, {1, {2}}};
        view.active.emplace(id, std::move(job));
    }
    Status status;
    status.publish(view, Ledger(0), Counters(), config::Config());
    const auto jobs = told(status, control::Ask::jobs, control::decode_jobs);
    ck_assert_uint_eq(jobs.size(), many);
    for (const control::JobRow &job : jobs)
        ck_assert_uint_eq(job.nodes.size(), 2);
}
END_TEST

START_TEST(ten_thousand_that_accept_any_size_wait_in_their_order) {
    View view;
    std::vector<policy::Action> actions;
    for (JobNumber id = many; id > 0; --id) {
        JobView job = job_of(id);
        job.request.sizes = common::Sizes::from_to(1, config::highest_process_count);
        view.queue.push_back(std::move(job));
        actions.push_back(policy::Wait{{id}, {}});
    }
    Status status;
    status.publish_queue(view, actions, config::Config());
    const auto queue = told(status, control::Ask::queue, control::decode_queue);
    ck_assert_uint_eq(queue.size(), many);
    for (std::size_t position = 0; position < many; ++position)
        ck_assert_uint_eq(queue[position].job_id, many - position);
    ck_assert_int_eq(queue.front().sizes.count(), config::highest_process_count);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("status");
    tcase_add_test(tests, before_the_first_pass_there_is_nothing);
    tcase_add_test(tests, ten_thousand_jobs_on_two_nodes_each_are_told);
    tcase_add_test(tests, ten_thousand_that_accept_any_size_wait_in_their_order);
    return run("status", tests);
}
