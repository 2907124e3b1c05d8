// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is written, byte by byte: the pages and the charts of a made-up experiment.
#include "experiments/reproduce/details.hpp"
#include "experiments/reproduce/run.hpp"
#include "experiments/reproduce/text.hpp"
#include "suites.hpp"

#include "run.hpp"

#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace {

using namespace vmall::sim::reproduce;

// The first line that differs, for Check has no room for a whole page.
void expect_golden(const std::string &text, const std::string &name) {
    const std::string path = std::string(GOLDEN_DIR) + "/" + name;
    std::ifstream file(path);
    ck_assert_msg(file.is_open(), "cannot read %s", path.c_str());
    std::istringstream ours(text);
    std::string expected, line;
    while (std::getline(file, expected)) {
        ck_assert_msg(bool(std::getline(ours, line)), "ends before: %s", expected.c_str());
        ck_assert_text(line, expected);
    }
    ck_assert_msg(!std::getline(ours, line), "goes on after its end: %s", line.c_str());
}

Finished made_up() {
    const Measurement low{"load 40 %", {0.70, 0.72, 0.74}};
    const Measurement high{"load 80 %", {0.60, 0.61, 0.62}};
    Finding faster{{"B is 20 to 40 % faster than A", "s. 1, fig. 1", "mean response, B / A",
                    between(0.6, 0.8), "", true},
                   {low, high},
                   {{"folding costs a tenth", {low}}},
                   "B requeues nothing."};
    faster.measurements[1].values = {0.65, 0.66, 0.67};
    Finding similar{{"A and C are similar", "s. 2", "mean wait, A / C", between(0.8, 1.25),
                     "'similar': within a quarter"},
                    {{"", {2}, true}},
                    {{"C is not delayed", {{"", {1}, true}}}},
                    ""};
    Finding unknown{{"C runs on any system", "s. 3", "systems", at_least(1), ""},
                    {},
                    {},
                    "There is one system here."};
    Experiment experiment{"made-up-fig-1.2",
                          "A made-up paper, figure 1.2",
                          "A, B and C.",
                          {"Folding costs nothing."},
                          {}};
    Table table{"Means.", {"policy", "wait (s)"}, {{"A", "1"}, {"B", "2"}}};
    Chart bars{"made-up-fig-1.2",
               "Waits",
               {{"long jobs",
                 "load (%)",
                 "wait (s)",
                 std::vector<std::string>{"40", "80"},
                 {{"A", {vmall::sim::summarise({1.0, 2.0, 3.0}), std::nullopt}},
                  {"B",
                   {vmall::sim::summarise({4.0}), vmall::sim::summarise({1.0, 1.0})},
                   {std::nullopt, 1.5}}}},
                {"by burst",
                 "jobs",
                 "wait (s)",
                 std::vector<double>{3, 6},
                 {{"A", {vmall::sim::summarise({0.5, 1.5}), vmall::sim::summarise({2.0, 2.5})}}}}}};
    return {experiment, {{faster, similar, unknown}, {table}, {bars}}};
}

START_TEST(the_page) {
    expect_golden(page({made_up()}, {"vmlab reproduce --all", 3, {"other"}}, "reproduction"),
                  "page.md");
}
END_TEST

START_TEST(the_details) {
    expect_golden(details(made_up(), "../reproduction.md"), "details.md");
}
END_TEST

START_TEST(the_charts) {
    expect_golden(charts_json(charts_of({made_up()})), "charts.json");
}
END_TEST

START_TEST(what_does_not_fit_is_refused) {
    Finished ragged = made_up();
    ragged.results.tables[0].rows[1].pop_back();
    ck_assert_text(refusal<std::invalid_argument>([&] { details(ragged, ""); }),
                   "a table is not rectangular: Means.");
    Finished empty = made_up();
    empty.results.findings.clear();
    ck_assert_text(refusal<std::invalid_argument>([&] {
                       page({empty}, {"", 3, {}}, "");
                   }),
                   "an experiment without findings: made-up-fig-1.2");
    Finished short_series = made_up();
    short_series.results.charts[0].panels[0].series[0].points.pop_back();
    ck_assert_text(refusal<std::invalid_argument>([&] { charts_json(charts_of({short_series})); }),
                   "series A has not one point for each x");
    Finished short_paper = made_up();
    short_paper.results.charts[0].panels[0].series[1].paper.pop_back();
    ck_assert_text(refusal<std::invalid_argument>([&] { charts_json(charts_of({short_paper})); }),
                   "series B has not one point for each x");
    ck_assert_text(refusal<std::invalid_argument>([&] {
                       charts_of({made_up(), made_up()});
                   }),
                   "two charts are called made-up-fig-1.2");
}
END_TEST

const struct NumberText {
    double value;
    const char *text;
} numbers[] = {
    {0, "0"},        {-0.0, "0"},     {1, "1"},           {1.5, "1.5"},      {0.012345, "0.0123"},
    {999.4, "999"},  {999.6, "1000"}, {12345.6, "12346"}, {-2.345, "-2.35"}, {99.95, "100"},
    {1e-6, "1e-06"},
};

START_TEST(numbers_are_short) {
    ck_assert_text(number(numbers[_i].value), numbers[_i].text);
}
END_TEST

START_TEST(ranges_in_words) {
    ck_assert_text(words(at_least(1.2)), "at least 1.2");
    ck_assert_text(words(at_most(0.9)), "at most 0.9");
    ck_assert_text(words(more_than(0)), "more than 0");
    ck_assert_text(words(less_than(1)), "less than 1");
    ck_assert_text(words(between(0.7, 0.8)), "0.7 to 0.8");
    ck_assert_text(words(between(4, 4)), "exactly 4");
}
END_TEST

} // namespace

Suite *page_suite() {
    Suite *suite = suite_create("page");
    TCase *tests = tcase_create("page");
    tcase_add_test(tests, the_page);
    tcase_add_test(tests, the_details);
    tcase_add_test(tests, the_charts);
    tcase_add_test(tests, what_does_not_fit_is_refused);
    tcase_add_loop_test(tests, numbers_are_short, 0, static_cast<int>(std::size(numbers)));
    tcase_add_test(tests, ranges_in_words);
    suite_add_tcase(suite, tests);
    return suite;
}
