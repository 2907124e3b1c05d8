// SPDX-License-Identifier: GPL-2.0-or-later
//
// Statistics, summaries and tables of outcomes, computed by hand.
#include "run.hpp"
#include "sim/report/beside.hpp"
#include "sim/report/csv.hpp"
#include "sim/report/overview.hpp"
#include "sim/report/sample.hpp"
#include "sim/report/summary.hpp"
#include "sim/report/text_table.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <sstream>
#include <stdexcept>

using namespace vmall::sim;
using vmall::policy::JobClass;

namespace {

struct Case {
    std::vector<double> values;
    Statistics expected;
};

const Case cases[] = {
    {{}, {0, 0, 0, 0, 0}},
    {{7}, {1, 7, 7, 7, 0}},
    {{4, 2}, {2, 3, 3, 4, 1.4142135623730951}},
    {{2, 4, 4, 4, 5, 5, 7, 9}, {8, 5, 4.5, 9, 2.138089935299395}},
};

START_TEST(describes) {
    const Statistics got = describe(cases[_i].values);
    const Statistics &expected = cases[_i].expected;
    ck_assert_uint_eq(got.count, expected.count);
    ck_assert_double_eq_tol(got.mean, expected.mean, 1e-12);
    ck_assert_double_eq_tol(got.median, expected.median, 1e-12);
    ck_assert_double_eq_tol(got.p95, expected.p95, 1e-12);
    ck_assert_double_eq_tol(got.deviation, expected.deviation, 1e-12);
}
END_TEST

START_TEST(the_95th_percentile_is_the_19th_of_20_and_the_20th_of_21) {
    std::vector<double> values;
    for (int i = 20; i >= 1; i--)
        values.push_back(i);
    ck_assert_double_eq(describe(values).p95, 19);
    values.push_back(21);
    ck_assert_double_eq(describe(values).p95, 20);
}
END_TEST

// Three jobs on four cores: one that waits 10 s and runs 20 s, one that is requeued, one too large.
class Example {
  public:
    Example() {
        add(0, JobClass::short_job, 20, "ft");
        add(5000, JobClass::long_job, 4, "a \"b\", c");
        add(50000, JobClass::long_job, 1, "");
        JobOutcome &first = outcome.jobs[0];
        first.end = End::completed;
        first.started = 10000;
        first.ended = 30000;
        first.held = 20000;
        first.processes = 2;
        first.starts = 1;
        first.folds = 1;
        first.unfolds = 1;
        first.core_milliseconds = 2 * 10000 + 1 * 10000;
        first.allotments = {{10000, 2, 1}, {20000, 1, 2}};
        JobOutcome &second = outcome.jobs[1];
        second.end = End::killed;
        second.started = 6000;
        second.ended = 25000;
        second.held = 1500 + 4000;
        second.processes = 2;
        second.starts = 2;
        second.backfilled = true;
        second.expiries = 1;
        second.core_milliseconds = 2 * 5500;
        second.wasted = 2 * 5500;
        second.allotments = {{6000, 2, 1}, {7500, 0, 1}, {21000, 2, 1}};
    }
    Example(const Example &) = delete;

    Outcome outcome;

  private:
    void add(Milliseconds submit, JobClass job_class, int seconds, const char *application) {
        Job &job = jobs[outcome.jobs.size()];
        job.id = static_cast<std::uint32_t>(outcome.jobs.size()) + 1;
        job.submit = submit;
        job.job_class = job_class;
        job.sizes = {2};
        job.runtime = seconds * 1000;
        job.time_limit = 4;
        job.application = application;
        job.user = "u" + std::to_string(job.id);
        outcome.jobs.emplace_back();
        outcome.jobs.back().job = &job;
        outcome.cores = 4;
    }

    Job jobs[3];
};

START_TEST(measures) {
    const Example example;
    const Measures first = measure(example.outcome.jobs[0], 10000);
    ck_assert_double_eq(first.wait, 10);
    ck_assert_double_eq(first.response, 30);
    ck_assert_double_eq(first.run_time, 20);
    ck_assert_double_eq(first.slowdown, 1.5);
    ck_assert_double_eq(first.bounded_slowdown, 1.5);
    ck_assert_double_eq(first.average_allotment, 1.5);
    const Measures second = measure(example.outcome.jobs[1], 10000);
    ck_assert_double_eq(second.wait, 14.5);
    ck_assert_double_eq(second.response, 20);
    ck_assert_double_eq(second.slowdown, 5);
    ck_assert_double_eq(second.bounded_slowdown, 2);
    ck_assert_double_eq(measure(example.outcome.jobs[1], 30000).bounded_slowdown, 1);
}
END_TEST

START_TEST(sums_up) {
    const Example example;
    const Summary summary = summarise(example.outcome, {});
    ck_assert_uint_eq(summary.jobs, 3);
    ck_assert_uint_eq(summary.completed, 1);
    ck_assert_uint_eq(summary.killed, 1);
    ck_assert_uint_eq(summary.never_started, 1);
    ck_assert_uint_eq(summary.backfilled, 1);
    ck_assert_int_eq(summary.requeues, 1);
    ck_assert_int_eq(summary.expiries, 1);
    ck_assert_double_eq(summary.makespan, 30);
    ck_assert_double_eq_tol(summary.utilisation, (30.0 + 11) / (4 * 30), 1e-12);
    ck_assert_double_eq_tol(summary.wasted_core_hours, 11.0 / 3600, 1e-12);
    ck_assert_uint_eq(summary.all.wait.count, 2);
    ck_assert_double_eq(summary.all.wait.mean, (10 + 14.5) / 2);
    ck_assert_uint_eq(summary.classes.size(), 2);
    ck_assert_text(summary.classes[0].name, "long");
    ck_assert_double_eq(summary.classes[0].wait.mean, 14.5);
    ck_assert_uint_eq(summary.applications.size(), 2);
}
END_TEST

START_TEST(json_has_a_fixed_order_and_six_digits) {
    const Example example;
    Summary summary = summarise(example.outcome, {});
    summary.policy = "fcfs";
    const std::string text = to_json(summary).dump();
    ck_assert_contains(text, "{\"policy\":\"fcfs\",\"workload\":\"\",\"unix_start_time\":null,"
                             "\"cores\":4,\"jobs\":3,");
    ck_assert_contains(text, "\"utilisation\":0.341667,");
    ck_assert_contains(text, "\"selected\":{\"name\":\"all\",\"jobs\":2,\"wait_seconds\":"
                             "{\"mean\":12.25,\"median\":12.25,\"p95\":14.5,");
}
END_TEST

START_TEST(an_empty_workload_has_a_summary) {
    const Summary summary = summarise(Outcome(), {});
    ck_assert_double_eq(summary.utilisation, 0);
    ck_assert_uint_eq(summary.all.wait.count, 0);
}
END_TEST

START_TEST(writes_tables) {
    const Example example;
    std::ostringstream jobs, allotments, usage;
    write_jobs(jobs, example.outcome, {true, false, false}, 10000);
    ck_assert_contains(jobs.str(),
                       "\n1,u1,ft,short,0,10,30,completed,10,30,20,1.5,1.5,2,1.5,1,no,1,1,0,30,0,"
                       "yes\n2,u2,\"a \"\"b\"\", c\",long,5,6,25,killed,14.5,20,5.5,5,2,2,2,2,yes,"
                       "0,0,1,11,11,no\n3,u3,,long,50,,,never_started,,,,,,,,0,no,0,0,0,0,0,no\n");
    write_allotments(allotments, example.outcome);
    ck_assert_text(allotments.str(), "job,begin,end,cores,mpl\n1,10,20,2,1\n1,20,30,1,2\n"
                                     "2,6,7.5,2,1\n2,21,25,2,1\n");
    write_usage(usage, example.outcome);
    ck_assert_text(usage.str(), "time,cores_used,jobs_running,jobs_waiting\n0,0,0,1\n5,0,0,2\n"
                                "6,2,1,1\n7.5,0,0,2\n10,2,1,1\n20,1,1,1\n21,3,2,0\n25,1,1,0\n"
                                "30,0,0,0\n");
}
END_TEST

START_TEST(every_line_of_jobs_has_as_many_fields_as_the_title) {
    const Example example;
    std::ostringstream out;
    write_jobs(out, example.outcome, {true, true, true}, 10000);
    std::istringstream lines(out.str());
    std::string title, first, second, third;
    std::getline(lines, title);
    std::getline(lines, first);
    std::getline(lines, second);
    std::getline(lines, third);
    const auto commas = [](const std::string &line) {
        return std::count(line.begin(), line.end(), ',');
    };
    ck_assert_int_eq(commas(first), commas(title));
    ck_assert_int_eq(commas(third), commas(title));
}
END_TEST

// A hundred jobs of one core that end one second after the other; the last is submitted at 98 s.
struct Selected {
    const char *name;
    Selection selection;
    int first;
    int last;
};

Selection warm_up(Share share) {
    Selection selection;
    selection.warm_up = share;
    return selection;
}

Selection cool_down(Share share) {
    Selection selection;
    selection.cool_down = share;
    return selection;
}

const Selected selections[] = {
    {"all", {}, 0, 99},
    {"without the first 10", warm_up({10, 0}), 10, 99},
    {"without the first 2.5 %", warm_up({0, 2.5}), 2, 99},
    {"without more than there are", warm_up({200, 0}), 100, 99},
    {"without the last 3", cool_down({3, 0}), 0, 96},
    {"as pyss, without the tiny job that ends first", steady_state(), 1, 98},
};

START_TEST(selects) {
    std::vector<Job> jobs(100);
    Outcome outcome;
    for (std::size_t i = 0; i < jobs.size(); i++) {
        jobs[i].submit = std::min<Milliseconds>(static_cast<Milliseconds>(i), 98) * 1000;
        jobs[i].sizes = {1};
        jobs[i].estimate = i == 0 ? 1 : 2;
        outcome.jobs.emplace_back();
        outcome.jobs[i].job = &jobs[i];
        outcome.jobs[i].end = End::completed;
        outcome.jobs[i].ended = static_cast<Milliseconds>(i) * 1000;
    }
    const auto selected = select(outcome, selections[_i].selection);
    for (int i = 0; i < 100; i++) {
        const bool expected = i >= selections[_i].first && i <= selections[_i].last;
        ck_assert_msg(selected[static_cast<std::size_t>(i)] == expected, "%s: job %d",
                      selections[_i].name, i);
    }
}
END_TEST

START_TEST(shares_are_numbers_or_percentages) {
    ck_assert_uint_eq(parse_share("12").jobs, 12);
    ck_assert_double_eq(parse_share("2.5%").percent, 2.5);
    for (const char *text : {"", "%", "-1", "101%", "1e2", "1.5"}) {
        ck_assert_contains(refusal<std::invalid_argument>([=] { parse_share(text); }),
                           "is neither a number of jobs nor a percentage");
    }
}
END_TEST

START_TEST(lays_tables_out) {
    ck_assert_text(text_table({{"A", "LONG", "B"}, {"name", "1", "22"}, {"x", "", ""}}),
                   "A     LONG   B\nname     1  22\nx\n");
    ck_assert_text(fixed(2.345, 1), "2.3");
    ck_assert_text(fixed(-0.5, 2), "-0.50");
}
END_TEST

START_TEST(the_overview_has_a_line_for_each_class) {
    const Example example;
    Summary summary = summarise(example.outcome, {});
    summary.policy = "bfm";
    const std::string text = overview({summary});
    ck_assert_contains(text, "\nbfm         2     12.2");
    ck_assert_contains(text, "\n  long      1     14.5");
    ck_assert_contains(text, "\n  short     1     10.0");
}
END_TEST

START_TEST(a_sample_is_students) {
    // By hand: mean 3, deviation sqrt(2.5), t(0.975, 4) = 2.7764.
    const Sample sample = summarise(std::vector<double>{1, 2, 3, 4, 5});
    ck_assert_int_eq(sample.count, 5);
    ck_assert_double_eq_tol(sample.mean, 3, 1e-12);
    ck_assert_double_eq_tol(sample.deviation, 1.5811388, 1e-6);
    ck_assert_double_eq_tol(sample.low, 3 - 1.9632432, 1e-6);
    ck_assert_double_eq_tol(sample.high, 3 + 1.9632432, 1e-6);
}
END_TEST

START_TEST(one_value_has_no_bounds) {
    const Sample sample = summarise(std::vector<double>{7});
    ck_assert_double_eq(sample.mean, 7);
    ck_assert(std::isinf(sample.low) && std::isinf(sample.high));
}
END_TEST

START_TEST(a_sample_has_finite_values) {
    const auto of = [](std::vector<double> values) {
        return refusal<std::invalid_argument>([&] { summarise(values); });
    };
    ck_assert_text(of({}), "nothing was measured");
    ck_assert_text(of({1, std::nan("")}), "a measured value is not a finite number");
}
END_TEST

START_TEST(percentiles_are_values_that_are_there) {
    const std::vector<double> values = {1, 2, 3, 4};
    ck_assert_double_eq(percentile(values, 0), 1);
    ck_assert_double_eq(percentile(values, 50), 2);
    ck_assert_double_eq(percentile(values, 50.1), 3);
    ck_assert_double_eq(percentile(values, 99), 4);
    ck_assert_double_eq(percentile({7}, 100), 7);
}
END_TEST

// The first job responds in half the time, the second in twice the time, the third and the sixth
// never under one of them, the fourth is not chosen, the fifth takes no time.
START_TEST(jobs_that_ended_under_both_are_put_beside_each_other) {
    const std::vector<Fare> fares = {{true, 50, 1, 2}, {true, 40, 4, 0}, {false, 0, 0, 0},
                                     {true, 9, 9, 9},  {true, 0, 1, 1},  {true, 3, 3, 3}};
    const std::vector<Fare> other = {{true, 100, 2, 0}, {true, 20, 2, 0}, {true, 7, 1, 0},
                                     {true, 1, 1, 0},   {true, 0, 1, 0},  {false, 0, 0, 0}};
    const Beside found = beside(fares, other, {true, true, true, false, true, true});
    ck_assert_uint_eq(found.jobs, 3);
    ck_assert_double_eq_tol(found.response, 90.0 / 120, 1e-12);
    ck_assert_double_eq_tol(found.bounded_slowdown, 6.0 / 5, 1e-12);
    ck_assert_double_eq_tol(found.resizes, 1, 1e-12);
    ck_assert(found.ratios == (std::vector<double>{0.5, 1, 2}));
    ck_assert_uint_eq(beside(fares, other, std::vector<bool>(6)).jobs, 0);
}
END_TEST

START_TEST(the_worst_user_has_twenty_jobs_and_the_longest_wait_is_anybodys) {
    std::vector<Fare> fares(19, {true, 90, 1, 0, 5, "few"}), other(19, {true, 30, 1, 0, 10, "few"});
    fares.resize(39, {true, 30, 1, 0, 15, "many"});
    other.resize(39, {true, 20, 1, 0, 20, "many"});
    fares.resize(60, {true, 90, 1, 0, 0, ""});
    other.resize(60, {true, 10, 1, 0, 0, ""});
    const Beside found = beside(fares, other, std::vector<bool>(60, true));
    ck_assert_double_eq_tol(found.worst_user, 1.5, 1e-12);
    ck_assert_double_eq_tol(found.longest_wait, 0.75, 1e-12);
    std::vector<bool> few(19, true);
    few.resize(60);
    ck_assert_double_eq(beside(fares, other, few).worst_user, 0);
}
END_TEST

START_TEST(other_jobs_are_not_put_beside_each_other) {
    try {
        beside({{}, {}}, {{}}, {true, true});
        ck_abort_msg("taken");
    } catch (const std::invalid_argument &) {
    }
}
END_TEST

START_TEST(a_fare_is_what_became_of_a_job) {
    const Example example;
    const std::vector<Fare> found = fares(example.outcome, usual_slowdown_bound);
    ck_assert_uint_eq(found.size(), 3);
    ck_assert(found[0].ended && found[1].ended && !found[2].ended);
    ck_assert_double_eq(found[0].response, 30);
    ck_assert_double_eq(found[0].bounded_slowdown, 1.5);
    ck_assert_int_eq(found[0].resizes, 2);
    ck_assert_int_eq(found[1].resizes, 0);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("report");
    tcase_add_loop_test(tests, describes, 0, static_cast<int>(std::size(cases)));
    tcase_add_test(tests, the_95th_percentile_is_the_19th_of_20_and_the_20th_of_21);
    tcase_add_test(tests, measures);
    tcase_add_test(tests, sums_up);
    tcase_add_test(tests, json_has_a_fixed_order_and_six_digits);
    tcase_add_test(tests, an_empty_workload_has_a_summary);
    tcase_add_test(tests, writes_tables);
    tcase_add_test(tests, every_line_of_jobs_has_as_many_fields_as_the_title);
    tcase_add_loop_test(tests, selects, 0, static_cast<int>(std::size(selections)));
    tcase_add_test(tests, shares_are_numbers_or_percentages);
    tcase_add_test(tests, lays_tables_out);
    tcase_add_test(tests, the_overview_has_a_line_for_each_class);
    tcase_add_test(tests, a_sample_is_students);
    tcase_add_test(tests, one_value_has_no_bounds);
    tcase_add_test(tests, a_sample_has_finite_values);
    tcase_add_test(tests, percentiles_are_values_that_are_there);
    tcase_add_test(tests, jobs_that_ended_under_both_are_put_beside_each_other);
    tcase_add_test(tests, the_worst_user_has_twenty_jobs_and_the_longest_wait_is_anybodys);
    tcase_add_test(tests, other_jobs_are_not_put_beside_each_other);
    tcase_add_test(tests, a_fare_is_what_became_of_a_job);
    return run("report", tests);
}
