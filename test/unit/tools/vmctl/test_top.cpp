// SPDX-License-Identifier: GPL-2.0-or-later
//
// What vmctl top shows, at every width and height.
#include "wire/expect.hpp"

#include "tools/vmctl/layout.hpp"
#include "tools/vmctl/top/bars.hpp"
#include "tools/vmctl/top/grid.hpp"
#include "tools/vmctl/top/history.hpp"
#include "tools/vmctl/top/view.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

using namespace vmall::wire;
using namespace vmall::vmctl;
using namespace vmall::vmctl::top;

namespace {

constexpr std::time_t noon = 1700049600; // 2023-11-15T12:00:00 UTC

std::string text_of_line(const Line &line) {
    std::string text;
    for (const Span &span : line)
        text += span.text;
    return text;
}

std::vector<std::string> texts(const std::vector<Line> &lines) {
    std::vector<std::string> result;
    std::transform(lines.begin(), lines.end(), std::back_inserter(result), text_of_line);
    return result;
}

JobRow job(std::uint32_t id, std::vector<NodeCores> nodes, std::uint32_t full, std::uint32_t mpl) {
    JobRow row;
    row.job_id = id;
    row.name = "stencil";
    row.job_class = vmall::common::JobClass::short_job;
    row.processes = row.full_cores = full;
    row.nodes = std::move(nodes);
    row.mpl = mpl;
    return row;
}

WaitingRow waiting(std::uint32_t id, const std::string &reason) {
    return {id, 0, "cg", vmall::common::JobClass::long_job, "batch", {4, 8}, reason};
}

HistoryRow event(std::uint32_t id, Event what, std::uint32_t before, std::uint32_t after,
                 std::time_t time) {
    HistoryRow row;
    row.time = time;
    row.job_id = id;
    row.event = what;
    row.cores_before = before;
    row.cores_after = after;
    return row;
}

Observation observation(std::uint64_t passes, std::uint64_t folds) {
    Observation seen;
    seen.at = noon;
    seen.jobs = {job(17, {{"n1", 4}, {"n2", 4}}, 8, 1), job(18, {{"n3", 2}}, 8, 4)};
    seen.jobs[1].useful_percent = 91;
    seen.jobs[1].resize_pending = true;
    seen.queue = {waiting(19, "waits for 2 cores")};
    seen.stats = {{"passes", passes, ""},     {"pass_microseconds", passes * 1260, ""},
                  {"folds", folds, ""},       {"jobs_waiting", 1, ""},
                  {"jobs_malleable", 2, ""},  {"jobs_folded", folds, ""},
                  {"resizes_pending", 1, ""}, {"core_seconds", passes, ""}};
    seen.events = {event(17, Event::started, 0, 8, noon - 70),
                   event(18, Event::folded, 8, 2, noon - 60)};
    seen.events[0].cause = vmall::common::Cause::turn;
    seen.events[1].cause = vmall::common::Cause::room;
    seen.events[1].for_job = 17;
    return seen;
}

Sight sight() {
    Sight shown;
    shown.now = noon + 1;
    shown.controller = "head:7851";
    shown.history.add(observation(10, 0));
    shown.history.add(observation(12, 1));
    shown.seen = observation(12, 1);
    return shown;
}

START_TEST(all_is_shown_where_there_is_room) {
    const std::vector<std::string> lines = texts(lines_of(sight(), {100, std::nullopt}));
    const std::vector<std::string> expected = {
        "vmctl top - head:7851" + std::string(60, ' ') + "2023-11-15T12:00:01",
        "running 2  folded 1  resizing 1  waiting 1  cores lent 6 of 16  last pass 12:00:00, 1.3 "
        "ms",
        "",
        "JOBID NAME    USER CLASS MPL CORES USEFUL ALLOTMENT (# has, - lent)" +
            std::string(33, ' '),
        "   18 stencil root short   4  2/8*    91% n3 ##------",
        "   17 stencil root short   1  8/8     N/A n[1-2] ####",
        "",
        "JOBID NAME USER CLASS SIZES REASON" + std::string(66, ' '),
        "   19 cg   root long  4,8   waits for 2 cores",
        "",
        "TIME     JOBID EVENT   CORES WHAT WAS DONE LAST, AND WHY" + std::string(44, ' '),
        "11:59:00    18 folded   8->2 to make room for job 17",
        "11:58:50    17 started  0->8 in its turn",
        "",
        "TIME        COUNTERS THAT GREW LAST" + std::string(65, ' '),
        "12:00:00 +1 folds, now 1",
    };
    ck_assert_uint_eq(lines.size(), expected.size());
    for (std::size_t i = 0; i < lines.size(); ++i)
        expect_equal(lines[i], expected[i]);
}
END_TEST

START_TEST(narrow_lines_keep_what_matters) {
    const std::vector<std::string> lines = texts(lines_of(sight(), {40, std::nullopt}));
    const auto shows = [&](const std::string &line) {
        return std::find(lines.begin(), lines.end(), line) != lines.end();
    };
    ck_assert(shows("   18   4  2/8*    91% n3 ##------"));
    ck_assert(shows("running 2  folded 1  resizing 1"));
    ck_assert(shows("last pass 12:00:00, 1.3 ms"));
}
END_TEST

// Many of each, with names that are long, or no names of ours.
Sight crowded() {
    Sight shown = sight();
    shown.seen->jobs.clear();
    for (std::uint32_t id = 1; id <= 30; ++id) {
        shown.seen->jobs.push_back(job(
            4000000000, {{"a-node-with-a-long-name", 1}, {"b2", 100}, {"c", id}}, 1000, id % 5));
        shown.seen->jobs.back().name = "an-\x1b[31mescape-and-more-than-twenty";
        shown.seen->queue.push_back(waiting(id, std::string(300, 'r')));
    }
    shown.problem = "cannot connect to " + std::string(250, 'h') + " port 7851: Connection refused";
    return shown;
}

START_TEST(no_line_is_too_long_at_any_width) {
    const std::size_t width = static_cast<std::size_t>(_i);
    for (const Sight &shown : {sight(), crowded(), Sight()})
        for (const std::string &line : texts(lines_of(shown, {width, std::nullopt}))) {
            ck_assert_msg(line.size() <= width, "%zu: %s", width, line.c_str());
            ck_assert_msg(line == printable(line), "%s", line.c_str());
        }
}
END_TEST

START_TEST(no_more_lines_than_the_window_has) {
    const std::size_t height = static_cast<std::size_t>(_i);
    for (const Sight &shown : {sight(), crowded(), Sight()})
        ck_assert_uint_le(lines_of(shown, {80, height}).size(), height);
}
END_TEST

START_TEST(where_lines_do_not_suffice_each_part_says_how_many_are_missing) {
    Sight shown = crowded();
    shown.problem.clear();
    const std::vector<std::string> lines = texts(lines_of(shown, {120, 24}));
    ck_assert_uint_eq(lines.size(), 24);
    std::vector<std::string> notes;
    for (const std::string &line : lines)
        if (line.compare(0, 4, "... ") == 0)
            notes.push_back(line);
    ck_assert_uint_eq(notes.size(), 2);
    expect_equal(notes[0], "... and 23 more");
    expect_equal(notes[1], "... and 29 more");
}
END_TEST

START_TEST(a_controller_that_does_not_answer_is_shown_beside_what_was_seen) {
    Sight shown = sight();
    shown.problem = "cannot connect to head port 7851: Connection refused";
    std::string all;
    for (const std::string &line : texts(lines_of(shown, {200, std::nullopt})))
        all += line + "\n";
    expect_part(all,
                "No answer since 12:00:00: cannot connect to head port 7851: Connection refused.",
                "trouble");
    expect_part(all, "vmctl doctor", "what to do");
    expect_part(all, "n3 ##------", "what was seen");
    shown.seen.reset();
    expect_part(text_of_line(lines_of(shown, {200, std::nullopt})[1]), "No answer yet: cannot",
                "nothing was ever seen");
    expect_equal(text_of_line(lines_of(Sight(), {80, std::nullopt})[1]), "Asking ...");
}
END_TEST

struct BarsCase {
    JobRow job;
    std::size_t width;
    const char *expected;
};

const BarsCase bars_cases[] = {
    {job(1, {{"n1", 2}}, 8, 4), 40, "n1 ##------"},
    {job(1, {{"n1", 8}}, 8, 1), 40, "n1 ########"},
    {job(1, {{"n1", 1}, {"n2", 1}}, 8, 4), 40, "n[1-2] #---"},
    {job(1, {{"n1", 1}, {"n2", 3}}, 8, 2), 40, "n1 #-  n2 ###---"},
    // More cores than cells, and at least one cell for what it has.
    {job(1, {{"n1", 128}}, 256, 2), 100, "n1 ################----------------"},
    {job(1, {{"n1", 1}}, 256, 256), 20, "n1 #----------------"},
    // No room for all nodes, or any.
    {job(1, {{"n1", 4}, {"n2", 3}, {"n3", 2}}, 9, 1), 20, "n1 ####  n2 ### +1"},
    {job(1, {{"a-node-with-a-long-name", 4}}, 4, 1), 16, "a-node-~ ####"},
    {job(1, {{"n1", 4}}, 4, 1), 1, "+"},
    {job(1, {{"n1", 4}}, 4, 1), 0, ""},
};

START_TEST(allotments_are_bars) {
    const BarsCase &row = bars_cases[_i];
    expect_equal(text_of_line(bars(row.job, row.width)), row.expected);
}
END_TEST

START_TEST(history_has_the_last_growth_of_each_counter) {
    History history;
    Observation seen;
    const auto see = [&](std::time_t at, std::vector<Stat> stats) {
        seen.at = at;
        seen.stats = std::move(stats);
        history.add(seen);
    };
    see(1, {{"folds", 5, ""}, {"starts", 7, ""}, {"passes", 3, ""}, {"pass_microseconds", 3, ""}});
    ck_assert(history.growths().empty());
    ck_assert(!history.passes());
    see(2,
        {{"folds", 7, ""}, {"starts", 8, ""}, {"passes", 5, ""}, {"pass_microseconds", 203, ""}});
    see(3, {{"folds", 8, ""}, {"starts", 8, ""}, {"passes", 5, ""}, {"jobs_folded", 9, ""}});
    ck_assert_uint_eq(history.growths().size(), 2);
    expect_equal(history.growths()[0].name, "folds");
    ck_assert_uint_eq(history.growths()[0].by, 1);
    ck_assert_uint_eq(history.growths()[0].value, 8);
    expect_equal(history.growths()[1].name, "starts");
    ck_assert_int_eq(history.growths()[1].seen, 2);
    ck_assert_int_eq(history.passes()->seen, 2);
    ck_assert_uint_eq(history.passes()->mean_microseconds, 100);
    see(4, {{"folds", 1, ""}, {"passes", 1, ""}}); // slurmctld was restarted
    ck_assert_uint_eq(history.growths()[0].by, 1);
    ck_assert_int_eq(history.passes()->seen, 2);
    see(5, {{"folds", 2, ""}, {"passes", 2, ""}});
    ck_assert_int_eq(history.growths()[0].seen, 5);
    ck_assert_int_eq(history.passes()->seen, 5);
}
END_TEST

START_TEST(history_has_what_happened_last_once) {
    History history;
    Observation seen;
    const auto see = [&](std::time_t since, std::vector<HistoryRow> events) {
        seen.since = since;
        seen.events = std::move(events);
        history.add(seen);
    };
    see(0, {event(1, Event::started, 0, 8, 5), event(2, Event::started, 0, 8, 50)});
    see(40, {event(2, Event::started, 0, 8, 50), event(1, Event::folded, 8, 4, 50)});
    std::vector<std::uint32_t> ids;
    for (const HistoryRow &row : history.events())
        ids.push_back(row.job_id);
    ck_assert((ids == std::vector<std::uint32_t>{1, 2, 1}));
    ck_assert(history.events()[0].event == Event::folded);
    see(60, std::vector<HistoryRow>(1000, event(3, Event::started, 0, 8, 60)));
    ck_assert_uint_eq(history.events().size(), 20);
}
END_TEST

START_TEST(nodes_that_do_not_tell_are_named) {
    Sight sight;
    sight.seen = Observation{};
    sight.seen->silent = {"n4: cannot connect\x1b"};
    const auto lines = texts(lines_of(sight, {120, std::nullopt}));
    ck_assert(std::find(lines.begin(), lines.end(), "Not told by n4: cannot connect?") !=
              lines.end());
    expect_part(encode(*sight.seen), "\"silent\":[\"n4: cannot connect", "JSON");
}
END_TEST

START_TEST(an_observation_is_json) {
    const std::string json = encode(observation(3, 1));
    for (const char *part :
         {"{\"jobs\":[{", "],\"queue\":[{", "],\"stats\":[{", "],\"history\":[{"})
        expect_part(json, part, "JSON");
}
END_TEST

START_TEST(colours_are_only_where_they_are_wanted) {
    const std::vector<Line> lines = {{"a ", Span("b", Style::wrong)}};
    expect_equal(text_of(lines, false), "a b\n");
    expect_equal(text_of(lines, true), "a \x1b[1;31mb\x1b[m\n");
    expect_equal(lay_out({{Span("x", Style::wrong), "y"}, {"xxx", "y"}}, {false, false}, true),
                 "\x1b[1;31mx\x1b[m   y\nxxx y\n");
    ck_assert(!wants_colours(-1));
}
END_TEST

void zone_is_utc() {
    setenv("TZ", "UTC", 1);
}

} // namespace

int main() {
    TCase *tests = tcase_create("top");
    tcase_add_checked_fixture(tests, zone_is_utc, nullptr);
    tcase_add_test(tests, all_is_shown_where_there_is_room);
    tcase_add_test(tests, narrow_lines_keep_what_matters);
    tcase_add_loop_test(tests, no_line_is_too_long_at_any_width, 40, 201);
    tcase_add_loop_test(tests, no_more_lines_than_the_window_has, 1, 60);
    tcase_add_test(tests, where_lines_do_not_suffice_each_part_says_how_many_are_missing);
    tcase_add_test(tests, a_controller_that_does_not_answer_is_shown_beside_what_was_seen);
    tcase_add_loop_test(tests, allotments_are_bars, 0, std::size(bars_cases));
    tcase_add_test(tests, history_has_the_last_growth_of_each_counter);
    tcase_add_test(tests, history_has_what_happened_last_once);
    tcase_add_test(tests, nodes_that_do_not_tell_are_named);
    tcase_add_test(tests, an_observation_is_json);
    tcase_add_test(tests, colours_are_only_where_they_are_wanted);
    return run("vmctl top", tests);
}
