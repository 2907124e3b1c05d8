// SPDX-License-Identifier: GPL-2.0-or-later
//
// The history: what it tells of a job, across restarts, damage and full disks, and within its
// bound.
#include "plugins/sched_fjt/account/history.hpp"

#include "plugins/sched_fjt/fake_glue.hpp"
#include "plugins/sched_fjt/see/core_sets.hpp"
#include "run.hpp"
#include "spank_vm/temporary_directory.hpp"

#include <algorithm>
#include <sys/stat.h>

using namespace vmall;
using namespace vmall::sched;
using common::Cause;
using wire::Event;
using wire::HistoryRow;

namespace {

constexpr policy::Seconds noon = 1000000;

CoreSets first_cores(std::uint32_t count) {
    CoreSets cores;
    for (std::uint32_t core = 0; core < count; ++core)
        cores[0].push_back(core);
    return cores;
}

JobView job_on(JobNumber id, std::uint32_t cores) {
    JobView job;
    job.id = id;
    job.user_id = 1000;
    job.account = "physics";
    job.name = "cg";
    job.state = JobState::running;
    job.virtually_malleable = true;
    job.tasks = 8;
    job.time_limit = 60;
    job.cores = first_cores(cores);
    return job;
}

Happening told(Event event, policy::Seconds time, const JobView &job, std::uint32_t cores,
               const Purpose &purpose) {
    return happening(event, time, job, event == Event::started ? 0 : core_count(job.cores),
                     first_cores(cores), purpose);
}

Happening start(JobNumber id) {
    return told(Event::started, noon, job_on(id, 8), 8, {Cause::backfill});
}

Happening end(JobNumber id, policy::Seconds ran, std::uint64_t held) {
    Happening result;
    result.event = Event::ended;
    result.time = noon + ran;
    result.job.id = id;
    result.ran = ran;
    result.balance.core_seconds = held;
    return result;
}

// A history in a directory of its own, and the jobs that run.
struct Kept {
    const TemporaryDirectory directory;
    const std::string path = directory / "vmall_history";
    config::Config config;
    View view;

    Kept() {
        view.now = noon;
        config.history_size = 1;
    }
    History history() const { return History(path, config); }
    void runs(const JobView &job) { view.active[job.id] = job; }
    std::vector<HistoryRow> rows(const History &history, JobNumber job = 0) const {
        wire::Query query{wire::Ask::history};
        query.job = job;
        return wire::decode_history(history.answer(query, {}));
    }
};

std::vector<Event> events(const std::vector<HistoryRow> &rows) {
    std::vector<Event> events;
    for (const HistoryRow &row : rows)
        events.push_back(row.event);
    return events;
}

START_TEST(the_life_of_a_job_is_told) {
    Kept kept;
    History history = kept.history();
    kept.runs(job_on(41, 8));
    history.keep({start(41)}, kept.view, kept.config);
    history.keep({told(Event::folded, noon + 10, job_on(41, 8), 2, {Cause::room, 43}),
                  told(Event::unfolded, noon + 20, job_on(41, 2), 8, {Cause::free_cores})},
                 kept.view, kept.config);
    kept.view.active.clear();
    history.keep({end(41, 30, 180)}, kept.view, kept.config);
    const auto rows = kept.rows(history);
    ck_assert(events(rows) ==
              (std::vector{Event::started, Event::folded, Event::unfolded, Event::ended}));
    ck_assert(rows[0].cause == Cause::backfill && rows[0].cores_after == 8 && rows[0].mpl == 1);
    ck_assert(rows[1].cause == Cause::room && rows[1].for_job == 43u);
    ck_assert(rows[1].cores_before == 8 && rows[1].cores_after == 2 && rows[1].mpl == 4);
    ck_assert(rows[2].cause == Cause::free_cores && !rows[2].for_job);
    ck_assert(rows[3].cores_before == 8 && rows[3].cores_after == 0 && !rows[3].cause);
    ck_assert_uint_eq(rows[3].balance.value().core_seconds, 180);
    ck_assert_uint_eq(rows[3].balance->core_seconds_lent, 60);
    ck_assert_uint_eq(rows[3].user_id, 1000);
}
END_TEST

START_TEST(jobs_that_are_not_virtually_malleable_are_not_told) {
    Kept kept;
    History history = kept.history();
    Happening ordinary = start(41);
    ordinary.job.virtually_malleable = false;
    kept.runs(ordinary.job);
    history.keep({ordinary}, kept.view, kept.config);
    kept.view.active.clear();
    history.keep({end(41, 30, 240)}, kept.view, kept.config);
    ck_assert(kept.rows(history).empty());
}
END_TEST

START_TEST(a_run_goes_on_in_the_history_of_the_next_controller) {
    Kept kept;
    kept.runs(job_on(41, 8));
    kept.history().keep({start(41)}, kept.view, kept.config);
    History restarted = kept.history();
    restarted.keep({}, kept.view, kept.config);
    ck_assert(events(kept.rows(restarted)) == std::vector{Event::started});
    kept.view.active.clear();
    restarted.keep({end(41, 30, 240)}, kept.view, kept.config);
    ck_assert(events(kept.rows(kept.history())) == (std::vector{Event::started, Event::ended}));
}
END_TEST

START_TEST(a_job_that_ran_before_is_seen_and_one_that_is_gone_has_ended) {
    Kept kept;
    History history = kept.history();
    kept.runs(job_on(41, 2));
    history.keep({}, kept.view, kept.config);
    history.keep({}, kept.view, kept.config);
    kept.view.active.clear();
    history.keep({}, kept.view, kept.config);
    history.keep({}, kept.view, kept.config);
    const auto rows = kept.rows(history);
    ck_assert(events(rows) == (std::vector{Event::seen, Event::ended}));
    ck_assert(rows[0].cores_after == 2 && rows[0].mpl == 4 && !rows[0].cause);
    ck_assert(!rows[1].balance);
}
END_TEST

START_TEST(a_job_of_which_the_view_does_not_know_yet_has_not_ended) {
    Kept kept;
    History history = kept.history();
    history.keep({start(41)}, kept.view, kept.config);
    ck_assert(events(kept.rows(history)) == std::vector{Event::started});
}
END_TEST

START_TEST(a_run_keeps_its_class) {
    Kept kept;
    History history = kept.history();
    kept.runs(job_on(41, 8));
    history.keep({start(41)}, kept.view, kept.config);
    JobView extended = job_on(41, 8);
    extended.time_limit = 100 * kept.config.short_time_limit;
    history.keep({told(Event::folded, noon, extended, 2, {})}, kept.view, kept.config);
    for (const HistoryRow &row : kept.rows(history))
        ck_assert(row.job_class == policy::JobClass::short_job);
}
END_TEST

START_TEST(what_made_room_for_a_job_is_told_with_it) {
    Kept kept;
    History history = kept.history();
    history.keep({start(41), start(42),
                  told(Event::folded, noon, job_on(41, 8), 2, {Cause::room, 43}), start(43)},
                 kept.view, kept.config);
    ck_assert(events(kept.rows(history, 43)) == (std::vector{Event::folded, Event::started}));
}
END_TEST

START_TEST(a_torn_line_costs_nothing_else) {
    Kept kept;
    kept.history().keep({start(41), start(42)}, kept.view, kept.config);
    std::filesystem::resize_file(kept.path, std::filesystem::file_size(kept.path) - 20);
    kept.history().keep({start(43)}, kept.view, kept.config);
    const auto rows = kept.rows(kept.history());
    ck_assert_uint_eq(rows.size(), 3); // 41 is gone by then, since it does not run
    ck_assert(rows[0].job_id == 41 && rows[1].job_id == 43 && rows[2].event == Event::ended);
}
END_TEST

START_TEST(what_is_no_history_is_left_out) {
    Kept kept;
    write_content(kept.path, "nonsense\n{}\n\n[1]\n" + std::string(100000, '[') + "\n");
    History history = kept.history();
    history.keep({start(41)}, kept.view, kept.config);
    ck_assert_uint_eq(kept.rows(history).size(), 1);
    ck_assert_uint_eq(kept.rows(kept.history()).size(), 1);
}
END_TEST

START_TEST(names_are_the_users_choice) {
    Kept kept;
    Happening hostile = start(41);
    hostile.job.name = "a\n{\"job_id\":1}\r\xff\"\\" + std::string(5000, 'x');
    hostile.job.account = "b\nc";
    kept.runs(hostile.job);
    kept.history().keep({hostile}, kept.view, kept.config);
    const std::string written = content_of(kept.path);
    ck_assert_int_eq(std::count(written.begin(), written.end(), '\n'), 1);
    const auto rows = kept.rows(kept.history());
    ck_assert_uint_eq(rows.size(), 1);
    ck_assert_text(rows[0].name.substr(0, 17), "a\n{\"job_id\":1}\r\xef\xbf");
    ck_assert_uint_le(rows[0].name.size(), wire::longest_name_in_history + 2);
    ck_assert_text(rows[0].account, "b\nc");
}
END_TEST

START_TEST(it_stays_within_its_bound) {
    constexpr std::size_t mebibyte = 1 << 20;
    Kept kept;
    History history = kept.history();
    JobNumber id = 0;
    for (int pass = 0; pass < 60; ++pass) {
        std::vector<Happening> happenings;
        for (int i = 0; i < 200; ++i)
            happenings.push_back(start(++id));
        kept.view.active.clear();
        for (const Happening &happening : happenings)
            kept.runs(happening.job);
        history.keep(happenings, kept.view, kept.config);
        std::size_t bytes = std::filesystem::file_size(kept.path);
        if (std::filesystem::exists(kept.path + ".old"))
            bytes += std::filesystem::file_size(kept.path + ".old");
        ck_assert_uint_le(bytes, mebibyte);
    }
    ck_assert(std::filesystem::exists(kept.path + ".old"));
    const History restarted = kept.history();
    for (const History *one : {static_cast<const History *>(&history), &restarted}) {
        std::size_t count = 0;
        JobNumber last = 0;
        wire::Query query{wire::Ask::history};
        for (std::optional<std::uint64_t> after = 0; after;) {
            query.after = *after;
            const std::string page = one->answer(query, {});
            ck_assert_uint_le(page.size(), wire::highest_payload_bytes);
            for (const HistoryRow &row : wire::decode_history(page)) {
                ++count;
                last = std::max(last, row.job_id);
            }
            after = wire::decode_rest(page);
        }
        ck_assert_uint_eq(last, id);
        ck_assert_uint_gt(count, 1000);
        ck_assert_uint_lt(count, 10000);
    }
}
END_TEST

START_TEST(only_its_owner_reads_it) {
    Kept kept;
    const mode_t before = umask(0);
    kept.history().keep({start(41)}, kept.view, kept.config);
    umask(before);
    struct stat status;
    ck_assert_int_eq(stat(kept.path.c_str(), &status), 0);
    ck_assert_int_eq(status.st_mode & 07777, 0600);
}
END_TEST

START_TEST(a_disk_that_takes_nothing_hurts_nobody) {
    Kept kept;
    const std::string path = kept.directory / "later/vmall_history";
    History history(path, kept.config);
    for (JobNumber id = 41; id < 44; ++id) {
        kept.runs(job_on(id, 8));
        history.keep({start(id)}, kept.view, kept.config);
    }
    ck_assert_uint_eq(kept.rows(history).size(), 3);
    std::filesystem::create_directory(kept.directory / "later");
    kept.runs(job_on(44, 8));
    history.keep({start(44)}, kept.view, kept.config);
    ck_assert_uint_eq(kept.rows(history).size(), 4);
    ck_assert_uint_eq(kept.rows(History(path, kept.config)).size(), 1);
}
END_TEST

START_TEST(none_is_kept_if_none_is_wanted) {
    Kept kept;
    kept.config.history_size = 0;
    History history = kept.history();
    history.keep({start(41)}, kept.view, kept.config);
    ck_assert(kept.rows(history).empty());
    ck_assert(!std::filesystem::exists(kept.path));
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("history");
    tcase_add_test(tests, the_life_of_a_job_is_told);
    tcase_add_test(tests, jobs_that_are_not_virtually_malleable_are_not_told);
    tcase_add_test(tests, a_run_goes_on_in_the_history_of_the_next_controller);
    tcase_add_test(tests, a_job_that_ran_before_is_seen_and_one_that_is_gone_has_ended);
    tcase_add_test(tests, a_job_of_which_the_view_does_not_know_yet_has_not_ended);
    tcase_add_test(tests, a_run_keeps_its_class);
    tcase_add_test(tests, what_made_room_for_a_job_is_told_with_it);
    tcase_add_test(tests, a_torn_line_costs_nothing_else);
    tcase_add_test(tests, what_is_no_history_is_left_out);
    tcase_add_test(tests, names_are_the_users_choice);
    tcase_add_test(tests, it_stays_within_its_bound);
    tcase_add_test(tests, only_its_owner_reads_it);
    tcase_add_test(tests, a_disk_that_takes_nothing_hurts_nobody);
    tcase_add_test(tests, none_is_kept_if_none_is_wanted);
    return run("history", tests);
}
