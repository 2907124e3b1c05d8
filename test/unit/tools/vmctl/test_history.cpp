// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmctl history, timeline and why: tables, times and sentences.
#include "wire/expect.hpp"

#include "tools/vmctl/history_table.hpp"
#include "tools/vmctl/job_name.hpp"
#include "tools/vmctl/since.hpp"
#include "tools/vmctl/timeline.hpp"
#include "tools/vmctl/why.hpp"
#include "tools/vmctl/words.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

using namespace vmall::wire;
using namespace vmall::vmctl;
using vmall::common::Cause;
using vmall::common::JobClass;
using vmall::common::Restraint;

namespace {

constexpr std::time_t noon = 1767265200; // 2026-01-01T12:00:00 in Berlin

void live_in_berlin() {
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    tzset();
}

HistoryRow event(std::uint32_t job, Event what, std::uint32_t before, std::uint32_t after,
                 std::uint32_t mpl, std::optional<Cause> cause,
                 std::optional<std::uint32_t> for_job = {}, std::int64_t time = noon) {
    HistoryRow row;
    row.time = time;
    row.job_id = job;
    row.name = "cg\x1b[31m";
    row.job_class = JobClass::long_job;
    row.event = what;
    row.processes = row.full_cores = 8;
    row.cores_before = before;
    row.cores_after = after;
    row.mpl = mpl;
    row.cause = cause;
    row.for_job = for_job;
    return row;
}

HistoryRow end_of(std::uint32_t job) {
    HistoryRow row = event(job, Event::ended, 8, 0, 1, {}, {}, noon + 3600);
    row.balance = Balance{18000, 10800, 1800, 1390, 1, 1};
    return row;
}

// Of job 41, which was folded for job 43.
std::vector<HistoryRow> a_story() {
    return {event(41, Event::started, 0, 8, 1, Cause::backfill),
            event(41, Event::folded, 8, 2, 4, Cause::room, 43),
            event(43, Event::started, 0, 6, 1, Cause::turn),
            event(41, Event::unfolded, 2, 8, 1, Cause::free_cores), end_of(41)};
}

START_TEST(the_history_is_a_table) {
    expect_equal(
        history_table(a_story(), true),
        "TIME                JOBID NAME    USER CLASS EVENT    CORES MPL WHY\n"
        "2026-01-01T12:00:00    41 cg?[31m root long  started   0->8   1 before its turn "
        "(backfilled)\n"
        "2026-01-01T12:00:00    41 cg?[31m root long  folded    8->2   4 to make room for job 43\n"
        "2026-01-01T12:00:00    43 cg?[31m root long  started   0->6   1 in its turn\n"
        "2026-01-01T12:00:00    41 cg?[31m root long  unfolded  2->8   1 because cores were free\n"
        "2026-01-01T13:00:00    41 cg?[31m root long  ended     8->0   1 held 18000 core-seconds, "
        "lent 10800, folded for 00:30:00, lost 00:23:10\n");
    ck_assert(history_table({}, false).empty());
}
END_TEST

START_TEST(every_cause_has_words) {
    for (const Cause cause : vmall::common::causes)
        ck_assert(!reason_of(event(1, Event::folded, 8, 2, 4, cause)).empty());
    expect_part(reason_of(event(1, Event::folded, 8, 2, 4, Cause::sharing)), "(sharing)", "reason");
    expect_part(history_table({event(1, Event::ended, 8, 0, 1, {})}, false), "not known", "table");
    expect_part(history_table({event(1, Event::seen, 8, 8, 1, {})}, false), "ran already", "table");
}
END_TEST

struct Time {
    const char *text;
    std::time_t time; // 0: refused
};

constexpr Time times[] = {
    {"2026-01-01T12:00:00", noon},
    {"2026-01-01T12:00", noon},
    {"2026-01-01", noon - 12 * 3600},
    {"2026-07-01T12:00:00", 1782900000}, // summer
    {"11:30", noon - 1800},
    {"11:59:59", noon - 1},
    {"now-1hour", noon - 3600},
    {"now-90minutes", noon - 5400},
    {"now-2days", noon - 2 * 86400},
    {"now-0seconds", noon},
    {"", 0},
    {"now", 0},
    {"now-", 0},
    {"now-1", 0},
    {"now--1hour", 0},
    {"now-1fortnight", 0},
    {"now-99999999999999999999days", 0},
    {"yesterday", 0},
    {"2026-01-01T12:00:00x", 0},
    {"2026-13-01", 0},
    {"25:00", 0},
};

START_TEST(a_time_is_parsed) {
    const Time &row = times[_i];
    if (row.time == 0)
        expect_part(error_of<std::invalid_argument>([&] { parse_since(row.text, noon); }),
                    "is no time such as", row.text);
    else
        ck_assert_msg(parse_since(row.text, noon) == row.time, "%s: %ld", row.text,
                      static_cast<long>(parse_since(row.text, noon)));
}
END_TEST

struct Job {
    const char *text;
    std::uint32_t job; // 0: none
    std::optional<std::uint32_t> task;
};

const std::vector<Job> jobs = {
    {"17", 17, {}},        {"17_3", 17, 3},          {"17_0", 17, 0},     {"17_70000", 17, 70000},
    {"0", 0, {}},          {"0_1", 0, {}},           {"", 0, {}},         {"_3", 0, {}},
    {"17_", 0, {}},        {"17_3_1", 0, {}},        {"17_[1-3]", 0, {}}, {"17+1", 0, {}},
    {" 17", 0, {}},        {"-17", 0, {}},           {"17.0", 0, {}},     {"4294967295", 0, {}},
    {"4294967313", 0, {}}, {"17_4294967299", 0, {}},
};

START_TEST(a_job_is_parsed) {
    const Job &row = jobs[_i];
    if (row.job == 0) {
        expect_part(error_of<std::invalid_argument>([&] { parse_job_name(row.text); }),
                    "is no job such as", row.text);
        return;
    }
    const JobName name = parse_job_name(row.text);
    ck_assert_msg(name.job == row.job && name.task == row.task, "%s", row.text);
}
END_TEST

START_TEST(durations_are_as_slurm_prints_them) {
    expect_equal(duration(0), "00:00:00");
    expect_equal(duration(3661), "01:01:01");
    expect_equal(duration(90061), "1-01:01:01");
}
END_TEST

std::string sentences(std::uint32_t job, const Known &known) {
    std::string text;
    for (const std::string &sentence : explain(job, known))
        text += sentence + "\n";
    return text;
}

WaitingRow waiting(std::string reason, std::uint32_t position = 0) {
    WaitingRow row;
    row.job_id = 43;
    row.name = "ft";
    row.reason = std::move(reason);
    row.position = position;
    return row;
}

JobRow running(std::uint32_t cores, std::uint32_t mpl) {
    JobRow row;
    row.job_id = 41;
    row.name = "cg";
    row.processes = row.full_cores = 8;
    row.nodes = {{"n1", cores}};
    row.mpl = mpl;
    return row;
}

START_TEST(why_a_job_waits) {
    Known known;
    known.queue = {waiting("waits for 4 cores")};
    expect_equal(sentences(43, known), "Job 43 (ft) of root waits for 4 cores.\n"
                                       "In Slurm's order of the queue it is the first virtually "
                                       "malleable job.\n");
    known.queue = {waiting("would delay job 40", 2)};
    known.history = {event(41, Event::folded, 8, 2, 4, Cause::room, 43)};
    expect_equal(sentences(43, known),
                 "Job 43 (ft) of root waits, because it would delay job 40.\n"
                 "In Slurm's order of the queue 2 virtually malleable jobs are before it.\n"
                 "Job 41 was folded from 8 to 2 cores at 2026-01-01T12:00:00 to make room for "
                 "it.\n");
    known.queue[0].expected_start = 1767265200;
    expect_part(sentences(43, known),
                "It would start by 2026-01-01T12:00:00 if nobody were folded for it, nobody else "
                "came, and all jobs took as long as they say.\n",
                "sentences");
    known.queue = {waiting("was refused by the resource manager", 1)};
    expect_part(sentences(43, known), "scontrol show job 43", "sentences");
}
END_TEST

START_TEST(who_starts_first_is_told_where_that_is_not_slurms_order) {
    Known known;
    known.queue = {waiting("would delay job 45", 0), waiting("waits for 4 cores", 1)};
    known.queue[1].job_id = 45;
    expect_part(sentences(43, known), "By QueueDiscipline job 45 is to start before it.\n",
                "sentences");
    std::swap(known.queue[0].position, known.queue[1].position);
    ck_assert(sentences(43, known).find("QueueDiscipline") == std::string::npos);
}
END_TEST

START_TEST(who_cannot_be_folded_for_it_is_told) {
    Known known;
    known.queue = {waiting("waits for 4 cores")};
    known.jobs = {running(4, 2), running(4, 2), running(8, 1)};
    known.jobs[0].restraint = known.jobs[1].restraint = Restraint::site;
    known.jobs[2].restraint = Restraint::time;
    known.jobs[2].job_id = 42;
    const std::string told = sentences(43, known);
    expect_part(told,
                "2 jobs that run are folded no deeper, Job 41 among them; of each: MaxMplPerJob "
                "allows no more of this job.\n",
                "sentences");
    expect_part(told, "Job 42 is folded no deeper: its work would end after", "sentences");
}
END_TEST

START_TEST(nobody_is_named_who_could_be_folded_for_memory) {
    Known known;
    known.queue = {waiting("waits for memory")};
    known.jobs = {running(4, 2)};
    known.jobs[0].restraint = Restraint::site;
    const std::string told = sentences(43, known);
    expect_part(told, "It needs as much as its --mem says", "sentences");
    ck_assert(told.find("Job 41") == std::string::npos);
}
END_TEST

START_TEST(a_folded_job_that_is_not_served_is_told_so) {
    Known known;
    known.jobs = {running(2, 4)};
    known.jobs[0].ranks = RankReport{8, 0, 0, 0, 0, 0, 0};
    expect_part(sentences(41, known), "libvmrt served none of its processes", "sentences");
    known.jobs[0].ranks->attached = 8;
    ck_assert(sentences(41, known).find("libvmrt") == std::string::npos);
}
END_TEST

START_TEST(why_a_job_waits_again) {
    Known known;
    known.queue = {waiting("waits for 4 cores")};
    known.history = {event(41, Event::folded, 8, 2, 4, Cause::room, 43),
                     event(43, Event::started, 0, 8, 1, Cause::backfill),
                     event(43, Event::requeued, 8, 0, 1, Cause::window, 44), end_of(43)};
    const std::string told = sentences(43, known);
    expect_part(told,
                "It was put back into the queue at 2026-01-01T12:00:00 because its window "
                "has expired, to make room for job 44.\n",
                "sentences");
    ck_assert(told.find("Job 41") == std::string::npos); // that was for the run before
}
END_TEST

START_TEST(why_a_job_is_folded) {
    Known known;
    known.jobs = {running(2, 4)};
    known.jobs[0].folds = 1;
    known.history = {event(41, Event::started, 0, 8, 1, Cause::turn),
                     event(41, Event::folded, 8, 2, 4, Cause::room, 43)};
    expect_equal(sentences(41, known),
                 "Job 41 (cg) of root runs with 8 processes on 2 of its 8 cores, folded: up to 4 "
                 "processes take turns (MPL 4).\n"
                 "It was started on 8 cores at 2026-01-01T12:00:00 in its turn.\n"
                 "It was folded from 8 to 2 cores at 2026-01-01T12:00:00 to make room for job "
                 "43.\n"
                 "It gets cores back when some are free that no other job has more right to.\n");
}
END_TEST

START_TEST(why_a_job_is_not_folded) {
    Known known;
    known.jobs = {running(8, 1)};
    expect_part(
        sentences(41, known),
        "on all of its 8 cores.\nIt has not been folded: nobody else was to have its cores.",
        "sentences");
    known.jobs[0].ranks = RankReport{8, 0, 0, 0, 0, 0, 0};
    expect_part(sentences(41, known), "poll while it is folded", "sentences");
    known.jobs[0].folds = 1;
    ck_assert(sentences(41, known).find("has not been folded") == std::string::npos);
    known.jobs[0].resize_pending = true;
    expect_part(sentences(41, known), "is under way", "sentences");
}
END_TEST

START_TEST(what_keeps_a_job_from_being_folded_is_told) {
    for (const Restraint restraint : vmall::common::restraints) {
        Known known;
        known.jobs = {running(8, 1)};
        known.jobs[0].restraint = restraint;
        if (restraint == Restraint::cost)
            known.jobs[0].folds_again_at = noon;
        const std::string told = sentences(41, known);
        ck_assert_msg(told.find("It is not folded: ") != std::string::npos ||
                          told.find("is not folded any deeper until") != std::string::npos,
                      "%s: %s", name_of(restraint), told.c_str());
        ck_assert_msg(told.find("nobody else") == std::string::npos, "%s", told.c_str());
    }
    Known unfolded;
    unfolded.jobs = {running(8, 1)};
    unfolded.jobs[0].folds = 1;
    unfolded.jobs[0].restraint = Restraint::site;
    expect_part(sentences(41, unfolded), "It is not folded: MaxMplPerJob allows no more", "");
    Known known;
    known.jobs = {running(2, 4)};
    known.jobs[0].restraint = Restraint::level;
    expect_part(sentences(41, known), "It is folded no deeper: MaxMpl allows no more.\n",
                "sentences");
}
END_TEST

START_TEST(why_a_job_that_asked_takes_no_part) {
    Known known;
    known.left_out = {{44, 1000, "asked, and is like the others: it has GRES\n"}};
    expect_equal(sentences(44, known), "Job 44 asked, and is like the others: it has GRES?.\n");
}
END_TEST

START_TEST(why_a_job_is_folded_no_deeper_for_now) {
    Known known;
    known.jobs = {running(8, 1)};
    known.jobs[0].folds = 60;
    known.jobs[0].folds_again_at = noon + 10;
    known.jobs[0].restraint = Restraint::cost;
    const std::string spared = " is not folded any deeper until 2026-01-01T12:00:10: resizes have "
                               "cost it as much as MaxResizeLoss allows.";
    expect_part(sentences(41, known), "It" + spared, "sentences");
    known.queue = {waiting("waits for 4 cores")};
    expect_part(sentences(43, known), "Job 41" + spared, "sentences");
}
END_TEST

START_TEST(what_became_of_a_job) {
    Known known;
    known.history = a_story();
    const std::string told = sentences(41, known);
    expect_part(told, "neither runs nor waits", "sentences");
    expect_part(told, "It ended at 2026-01-01T13:00:00.\nIt held 18000 core-seconds, lent 10800",
                "sentences");
}
END_TEST

START_TEST(only_the_latest_of_many_resizes_are_told) {
    Known known;
    known.jobs = {running(2, 4)};
    known.history = {event(41, Event::started, 0, 8, 1, Cause::turn)};
    for (std::uint32_t i = 0; i < 100; ++i)
        known.history.push_back(event(41, Event::folded, 8, 2, 4, Cause::room, 100 + i));
    const std::string told = sentences(41, known);
    ck_assert_int_eq(std::count(told.begin(), told.end(), '\n'), 1 + 1 + 1 + 6 + 1);
    expect_part(told, "Of its 100 resizes these are the latest:", "sentences");
    expect_part(told, "job 199.", "sentences");
    ck_assert(told.find("job 193.") == std::string::npos);
}
END_TEST

START_TEST(of_an_unknown_job_nothing_is_said) {
    Known known;
    known.history = {event(41, Event::folded, 8, 2, 4, Cause::room, 43)};
    ck_assert(explain(44, known).empty());
    expect_equal(
        sentences(43, known),
        "Job 43 takes no part, and is scheduled like all others.\nJob 41 was folded from 8 "
        "to 2 cores at 2026-01-01T12:00:00 to make room for it.\n");
    expect_part(not_known(43), "squeue -j 43", "error");
    expect_equal(encode_why(43, {"a \"b\""}), "{\"job_id\":43,\"why\":[\"a \\\"b\\\"\"]}\n");
}
END_TEST

START_TEST(a_timeline_is_json) {
    const auto timeline = nlohmann::json::parse(timeline_of(a_story(), noon, noon + 60));
    ck_assert_uint_eq(timeline["history"].size(), 5);
    ck_assert(timeline["since"] == noon && timeline["until"] == noon + 60);
    ck_assert(!nlohmann::json::parse(timeline_of({}, std::nullopt, noon)).contains("since"));
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("history");
    tcase_add_unchecked_fixture(tests, live_in_berlin, nullptr);
    tcase_add_test(tests, the_history_is_a_table);
    tcase_add_test(tests, every_cause_has_words);
    tcase_add_loop_test(tests, a_job_is_parsed, 0, static_cast<int>(jobs.size()));
    tcase_add_loop_test(tests, a_time_is_parsed, 0, std::size(times));
    tcase_add_test(tests, durations_are_as_slurm_prints_them);
    tcase_add_test(tests, why_a_job_waits);
    tcase_add_test(tests, who_starts_first_is_told_where_that_is_not_slurms_order);
    tcase_add_test(tests, who_cannot_be_folded_for_it_is_told);
    tcase_add_test(tests, nobody_is_named_who_could_be_folded_for_memory);
    tcase_add_test(tests, a_folded_job_that_is_not_served_is_told_so);
    tcase_add_test(tests, why_a_job_waits_again);
    tcase_add_test(tests, why_a_job_is_folded);
    tcase_add_test(tests, why_a_job_is_not_folded);
    tcase_add_test(tests, what_keeps_a_job_from_being_folded_is_told);
    tcase_add_test(tests, why_a_job_that_asked_takes_no_part);
    tcase_add_test(tests, why_a_job_is_folded_no_deeper_for_now);
    tcase_add_test(tests, what_became_of_a_job);
    tcase_add_test(tests, only_the_latest_of_many_resizes_are_told);
    tcase_add_test(tests, of_an_unknown_job_nothing_is_said);
    tcase_add_test(tests, a_timeline_is_json);
    return run("history", tests);
}
