// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is told of the history: page by page, of one job or since a time, to those who may see it.
#include "plugins/sched_fjt/account/event_list.hpp"

#include "run.hpp"

#include <iterator>

using namespace vmall;
using namespace vmall::sched;
using wire::HistoryRow;
using Ids = std::vector<std::uint32_t>;

namespace {

void add(EventList &events, std::uint32_t job, std::int64_t time = 1, std::uint32_t user = 100,
         const char *account = "physics", std::optional<std::uint32_t> for_job = {}) {
    HistoryRow row;
    row.job_id = job;
    row.time = time;
    row.user_id = user;
    row.account = account;
    row.for_job = for_job;
    events.add(row, wire::encode_row(row));
}

struct Told {
    Ids jobs;
    int pages = 0;
};

Told told(const EventList &events, wire::Query query = {wire::Ask::history},
          const Viewer &viewer = {}, std::size_t highest_bytes = wire::highest_payload_bytes) {
    Told result;
    for (;; ++result.pages) {
        const std::string page = events.page(query, viewer, highest_bytes);
        ck_assert_uint_le(page.size(), highest_bytes);
        for (const HistoryRow &row : wire::decode_history(page))
            result.jobs.push_back(row.job_id);
        const auto rest = wire::decode_rest(page);
        if (!rest)
            return result;
        ck_assert_uint_gt(*rest, query.after);
        query.after = *rest;
    }
}

START_TEST(an_empty_list_is_told) {
    ck_assert(told({}).jobs.empty());
}
END_TEST

START_TEST(wherever_a_page_ends_nothing_is_lost) {
    EventList events;
    Ids all;
    for (std::uint32_t job = 1; job <= 1500; ++job) {
        add(events, job);
        all.push_back(job);
    }
    for (const std::size_t bytes : {400u, 1000u, 5000u, 100000u}) {
        const Told pages = told(events, {wire::Ask::history}, {}, bytes);
        ck_assert(pages.jobs == all);
        ck_assert_int_gt(pages.pages, 1);
    }
}
END_TEST

START_TEST(the_oldest_are_dropped) {
    EventList events;
    for (std::uint32_t job = 1; job <= 10; ++job)
        add(events, job);
    HistoryRow row;
    row.job_id = 1;
    row.account = "physics";
    events.keep_within(3 * wire::encode_row(row).size() + 100);
    ck_assert(told(events).jobs == (Ids{8, 9, 10}));
    events.keep_within(0);
    ck_assert(told(events).jobs.empty());
}
END_TEST

START_TEST(one_job_and_a_time_can_be_asked_for) {
    EventList events;
    add(events, 1, 10);
    add(events, 2, 20, 100, "physics", 1);
    add(events, 2, 30);
    add(events, 1, 40);
    wire::Query query{wire::Ask::history};
    query.job = 1;
    ck_assert(told(events, query).jobs == (Ids{1, 2, 1}));
    query.since = 20;
    ck_assert(told(events, query).jobs == (Ids{2, 1}));
    query.job = 0;
    query.since = 30;
    ck_assert(told(events, query).jobs == (Ids{2, 1}));
}
END_TEST

const struct {
    const char *who;
    Viewer viewer;
    Ids jobs;
} viewers[] = {
    {"who sees everybody", Viewer(), {1, 2, 3, 4}},
    {"a user", Viewer(100, [](const std::string &) { return false; }), {1, 3}},
    {"a coordinator of physics",
     Viewer(200, [](const std::string &account) { return account == "physics"; }),
     {1, 2, 4}},
    {"a stranger", Viewer(300, [](const std::string &) { return false; }), {}},
};

START_TEST(jobs_of_others_are_told_to_those_who_may_see_them) {
    const auto &[who, viewer, jobs] = viewers[_i];
    EventList events;
    for (std::uint32_t job = 1; job <= 4; ++job)
        add(events, job, 1, job % 2 ? 100 : 200, job <= 2 ? "physics" : "chemistry");
    ck_assert_msg(told(events, {wire::Ask::history}, viewer).jobs == jobs, "to %s", who);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("event_list");
    tcase_add_test(tests, an_empty_list_is_told);
    tcase_add_test(tests, wherever_a_page_ends_nothing_is_lost);
    tcase_add_test(tests, the_oldest_are_dropped);
    tcase_add_test(tests, one_job_and_a_time_can_be_asked_for);
    tcase_add_loop_test(tests, jobs_of_others_are_told_to_those_who_may_see_them, 0,
                        static_cast<int>(std::size(viewers)));
    return run("event_list", tests);
}
