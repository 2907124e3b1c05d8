// SPDX-License-Identifier: GPL-2.0-or-later
//
// What vmctl is told of a busy centre: all of it, page by page, in the order of the queue.
#include "plugins/sched_fjt/answer/status.hpp"
#include "run.hpp"
#include "wire/seal.hpp"

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
std::vector<Row> told(const Status &status, wire::Ask ask,
                      std::vector<Row> (*decode)(const std::string &), const Viewer &viewer = {}) {
    std::vector<Row> rows;
    for (wire::Query query{ask};;) {
        const std::string page = status.answer(query, viewer);
        ck_assert_uint_le(page.size(), wire::highest_payload_bytes);
        wire::append(rows, decode(page));
        const auto next = wire::decode_next(page);
        if (!next)
            return rows;
        query.from = *next;
    }
}

START_TEST(before_the_first_pass_there_is_nothing) {
    const Status status;
    ck_assert(told(status, wire::Ask::jobs, wire::decode_jobs).empty());
    ck_assert(told(status, wire::Ask::queue, wire::decode_queue).empty());
    ck_assert(wire::decode_stats(status.answer({wire::Ask::stats})).empty());
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
    const auto jobs = told(status, wire::Ask::jobs, wire::decode_jobs);
    ck_assert_uint_eq(jobs.size(), many);
    for (const wire::JobRow &job : jobs)
        ck_assert_uint_eq(job.nodes.size(), 2);
}
END_TEST

START_TEST(only_those_that_vmctl_queue_lists_are_counted) {
    View view;
    view.queue = {job_of(1), job_of(2), job_of(3)};
    view.queue[1].virtually_malleable = false;
    const std::vector<policy::Action> actions = {policy::Wait{{1}, {}}, policy::Wait{{3}, {}}};
    Status status;
    status.publish_queue(view, actions, config::Config());
    status.publish(view, Ledger(0), Counters(), config::Config());
    const auto stats = wire::decode_stats(status.answer({wire::Ask::stats}));
    const auto waiting = std::find_if(stats.begin(), stats.end(), [](const wire::Stat &stat) {
        return stat.name == "jobs_waiting";
    });
    ck_assert(waiting != stats.end());
    ck_assert_uint_eq(waiting->value, 2);
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
    const auto queue = told(status, wire::Ask::queue, wire::decode_queue);
    ck_assert_uint_eq(queue.size(), many);
    for (std::size_t position = 0; position < many; ++position)
        ck_assert_uint_eq(queue[position].job_id, many - position);
    ck_assert_int_eq(queue.front().sizes.count(), config::highest_process_count);
}
END_TEST

// Jobs 1 to 4 that run and 5 to 8 that wait, of users 100 and 200 by turns, the later ones of each
// four in another account.
void tell_of_two_users_in_two_accounts(Status &status) {
    View view;
    view.nodes[0].name = "n1";
    std::vector<policy::Action> actions;
    for (JobNumber id = 1; id <= 8; ++id) {
        JobView job = job_of(id);
        job.user_id = id % 2 ? 100 : 200;
        job.account = (id - 1) % 4 < 2 ? "physics" : "chemistry";
        if (id <= 4) {
            job.state = JobState::running;
            job.cores = {{0, {id}}};
            view.active.emplace(id, std::move(job));
        } else {
            job.request.sizes = common::Sizes::from_to(1, 1);
            view.queue.push_back(std::move(job));
            actions.push_back(policy::Wait{{id}, {}});
        }
    }
    status.publish(view, Ledger(0), Counters(), config::Config());
    status.publish_queue(view, actions, config::Config());
}

const struct {
    const char *who;
    Viewer viewer;
    std::vector<std::uint32_t> jobs;
    std::vector<std::uint32_t> queue;
} viewers[] = {
    {"who sees everybody", Viewer(), {1, 2, 3, 4}, {5, 6, 7, 8}},
    {"a user", Viewer(100, [](const std::string &) { return false; }), {1, 3}, {5, 7}},
    {"a coordinator of physics",
     Viewer(200, [](const std::string &account) { return account == "physics"; }),
     {1, 2, 4},
     {5, 6, 8}},
    {"a stranger", Viewer(300, [](const std::string &) { return false; }), {}, {}},
};

template <typename Row>
std::vector<std::uint32_t> ids(const std::vector<Row> &rows) {
    std::vector<std::uint32_t> ids;
    for (const Row &row : rows)
        ids.push_back(row.job_id);
    return ids;
}

START_TEST(jobs_of_others_are_told_to_those_who_may_see_them) {
    const auto &[who, viewer, jobs, queue] = viewers[_i];
    Status status;
    tell_of_two_users_in_two_accounts(status);
    ck_assert_msg(ids(told(status, wire::Ask::jobs, wire::decode_jobs, viewer)) == jobs,
                  "running jobs, to %s", who);
    ck_assert_msg(ids(told(status, wire::Ask::queue, wire::decode_queue, viewer)) == queue,
                  "the queue, to %s", who);
}
END_TEST

// Of what publish() says in this view of jobs that take no part.
std::string told_of(JobNumber id, const View &view, const Ledger &ledger = Ledger(0)) {
    Status status;
    status.publish(view, ledger, Counters(), config::Config());
    for (const wire::LeftOutRow &row : told(status, wire::Ask::left_out, wire::decode_left_out))
        if (row.job_id == id)
            return row.reason;
    return "";
}

START_TEST(who_asked_and_takes_no_part_is_told_why) {
    View view;
    JobView job = job_of(7);
    job.request.asked = true;
    ck_assert(told_of(7, view).empty());
    job.virtually_malleable = false;
    job.refusal = "asked, and has GRES";
    view.queue = {job_of(9), job};
    ck_assert(told_of(7, view) == "asked, and has GRES");
    ck_assert(told_of(9, view).empty());
    job.refusal.clear();
    view.queue.clear();
    view.active[7] = job;
    ck_assert(told_of(7, view).empty());
    view.contradiction = "slurm.conf: PreemptMode=GANG";
    ck_assert(told_of(7, view) == "is scheduled like the others: slurm.conf: PreemptMode=GANG");
    view.contradiction.clear();
    Ledger ledger(0);
    LedgerEntry &entry = ledger.of(job);
    entry.left_alone = true;
    ck_assert(told_of(7, view, ledger) == "is scheduled like the others: its nodes cannot fold it");
    entry.left_alone_because = "its tasks are linked statically";
    ck_assert(told_of(7, view, ledger) ==
              "is scheduled like the others: its tasks are linked statically");
}
END_TEST

START_TEST(nobody_is_looked_up_twice_for_a_list) {
    int asked = 0;
    Viewer viewer(300, [&](const std::string &) { return ++asked > 2; });
    for (int i = 0; i < 3; ++i)
        ck_assert(!viewer.sees(100, "physics") && !viewer.sees(100, "chemistry"));
    ck_assert_int_eq(asked, 2);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("status");
    tcase_add_test(tests, before_the_first_pass_there_is_nothing);
    tcase_add_test(tests, ten_thousand_jobs_on_two_nodes_each_are_told);
    tcase_add_test(tests, only_those_that_vmctl_queue_lists_are_counted);
    tcase_add_test(tests, ten_thousand_that_accept_any_size_wait_in_their_order);
    tcase_add_loop_test(tests, jobs_of_others_are_told_to_those_who_may_see_them, 0,
                        static_cast<int>(std::size(viewers)));
    tcase_add_test(tests, who_asked_and_takes_no_part_is_told_why);
    tcase_add_test(tests, nobody_is_looked_up_twice_for_a_list);
    return run("status", tests);
}
