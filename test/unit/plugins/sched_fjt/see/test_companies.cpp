// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who lends whole nodes to whom, as the policy is told.
#include "plugins/sched_fjt/see/companies.hpp"
#include "run.hpp"

#include <iterator>

using namespace vmall::sched;
using vmall::config::LendWholeNodes;

namespace {

struct Row {
    LendWholeNodes lend;
    const char *what;
    void (*differs)(JobView &job);
    bool together;
};

void in_nothing(JobView &) {}
void by_user(JobView &job) {
    job.user_id = 2;
}
void by_account(JobView &job) {
    job.account = "chemistry";
}
void by_partition(JobView &job) {
    job.partition = "other";
}

const Row rows[] = {
    {LendWholeNodes::no, "nothing", in_nothing, false},
    {LendWholeNodes::user, "account", by_account, true},
    {LendWholeNodes::user, "user", by_user, false},
    {LendWholeNodes::account, "user", by_user, true},
    {LendWholeNodes::account, "account", by_account, false},
    {LendWholeNodes::partition, "user", by_user, true},
    {LendWholeNodes::partition, "partition", by_partition, false},
    {LendWholeNodes::yes, "user", by_user, true},
    {LendWholeNodes::yes, "partition", by_partition, true},
};

JobView lender(JobNumber id, const char *account) {
    JobView job;
    job.id = id;
    job.user_id = 1;
    job.account = account;
    job.partition = "whole";
    job.whole_nodes = job.virtually_malleable = true;
    return job;
}

START_TEST(jobs_with_something_in_common_are_a_company) {
    const Row &row = rows[_i];
    Companies companies(row.lend);
    JobView other = lender(8, "physics");
    row.differs(other);
    const bool together = companies.of(lender(7, "physics")) == companies.of(other);
    ck_assert_msg(together == row.together, "%d, %s differs", static_cast<int>(row.lend), row.what);
}
END_TEST

START_TEST(jobs_without_an_account_have_none_in_common) {
    Companies companies(LendWholeNodes::account);
    const int first = companies.of(lender(7, ""));
    ck_assert_int_ne(first, companies.of(lender(8, "")));
    ck_assert_int_eq(first, companies.of(lender(7, "")));
    ck_assert_int_ne(first, companies.of(lender(9, "7")));
}
END_TEST

START_TEST(who_lends_nothing_has_no_company) {
    Companies companies(LendWholeNodes::yes);
    JobView job = lender(7, "physics");
    job.virtually_malleable = false;
    ck_assert_int_eq(companies.of(job), 0);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("companies");
    tcase_add_loop_test(tests, jobs_with_something_in_common_are_a_company, 0,
                        static_cast<int>(std::size(rows)));
    tcase_add_test(tests, jobs_without_an_account_have_none_in_common);
    tcase_add_test(tests, who_lends_nothing_has_no_company);
    return run("companies", tests);
}
