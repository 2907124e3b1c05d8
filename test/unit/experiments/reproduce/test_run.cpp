// SPDX-License-Identifier: GPL-2.0-or-later
//
// Threads and stopping, with made-up experiments; then every registered experiment, small.
#include "experiments/reproduce/details.hpp"
#include "experiments/reproduce/registry.hpp"
#include "experiments/reproduce/run.hpp"
#include "experiments/reproduce/verdict.hpp"
#include "suites.hpp"

#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace {

using namespace vmall::sim;
using namespace vmall::sim::reproduce;

Context small(Progress &progress, int threads) {
    return {{1, 2, 3}, threads, 0.2, progress};
}

const int thread_counts[] = {1, 2, 7};

START_TEST(results_come_in_the_order_of_the_seeds) {
    Progress progress;
    const Context context = small(progress, thread_counts[_i]);
    const auto squares = for_each_seed(context, [](std::uint64_t seed) { return seed * seed; });
    ck_assert(squares == (std::vector<std::uint64_t>{1, 4, 9}));
}
END_TEST

START_TEST(the_first_failure_is_thrown) {
    Progress progress;
    const Context context = small(progress, 2);
    const auto message = refusal<std::runtime_error>([&] {
        in_parallel(context, 3,
                    [](std::size_t i) { throw std::runtime_error("task " + std::to_string(i)); });
    });
    ck_assert_contains(message, "task");
}
END_TEST

Experiment made_up(const std::string &name, const std::function<void(Context &)> &meanwhile) {
    return {name,
            "",
            "",
            {},
            [meanwhile](Context &context) {
                meanwhile(context);
                in_parallel(
                    context, 1, [](std::size_t) {});
                return Results{};
            }};
}

START_TEST(what_has_finished_before_a_stop_is_kept) {
    Progress progress;
    Context context = small(progress, 1);
    const auto nothing = [](Context &) {};
    const auto stop = [](Context &running) { running.progress.stop = true; };
    std::string announced;
    const Run run = run_all({made_up("a", nothing), made_up("b", stop), made_up("c", nothing)},
                            context, [&](const std::string &name) { announced += name; });
    ck_assert_uint_eq(run.finished.size(), 1);
    ck_assert_text(run.finished[0].experiment.name, "a");
    ck_assert(run.not_run == (std::vector<std::string>{"b", "c"}));
    ck_assert_text(announced, "ab");
}
END_TEST

START_TEST(an_unknown_name_is_refused) {
    const auto message = refusal<std::invalid_argument>([] { choose({"no-such-figure"}); });
    ck_assert_contains(message, "no experiment is called no-such-figure; there are:");
}
END_TEST

bool is_name(const std::string &name) {
    return !name.empty() && std::all_of(
                                name.begin(), name.end(),
                                [](char c) {
                                    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                                           c == '.' || c == '-';
                                });
}

START_TEST(names_are_unique) {
    std::set<std::string> names;
    for (const Experiment &experiment : all_experiments()) {
        ck_assert_msg(is_name(experiment.name), "%s", experiment.name.c_str());
        ck_assert_msg(names.insert(experiment.name).second, "%s twice", experiment.name.c_str());
        ck_assert(choose({experiment.name}).size() == 1);
    }
}
END_TEST

START_TEST(every_experiment_runs) {
    const Experiment experiment = all_experiments()[static_cast<std::size_t>(_i)];
    Progress progress;
    Context context{{1, 2}, 2, 0.05, progress};
    const Finished finished{experiment, experiment.run(context)};
    ck_assert(page({finished}, {"a test", 2, {}}, "folder") != "");
    ck_assert(details(finished, "overview.md") != "");
    charts_json(charts_of({finished}));
    for (const Finding &finding : finished.results.findings) {
        const Claim &claim = finding.claim;
        const std::string about = experiment.name + ": " + claim.says;
        ck_assert_msg(!claim.says.empty() && !claim.measure.empty(), "%s", about.c_str());
        ck_assert_msg(!claim.source.empty(), "%s has no source", about.c_str());
        ck_assert_msg(claim.accepted.low <= claim.accepted.high, "%s", about.c_str());
        ck_assert_msg(std::isfinite(claim.accepted.low) || std::isfinite(claim.accepted.high),
                      "%s cannot fail", about.c_str());
        ck_assert_msg(!finding.measurements.empty() || !finding.why.empty(),
                      "%s is not measured and nobody says why", about.c_str());
    }
}
END_TEST

} // namespace

Suite *run_suite() {
    Suite *suite = suite_create("run");
    TCase *tests = tcase_create("run");
    tcase_add_loop_test(tests, results_come_in_the_order_of_the_seeds, 0,
                        static_cast<int>(std::size(thread_counts)));
    tcase_add_test(tests, the_first_failure_is_thrown);
    tcase_add_test(tests, what_has_finished_before_a_stop_is_kept);
    tcase_add_test(tests, an_unknown_name_is_refused);
    tcase_add_test(tests, names_are_unique);
    tcase_add_loop_test(tests, every_experiment_runs, 0,
                        static_cast<int>(all_experiments().size()));
    suite_add_tcase(suite, tests);
    return suite;
}
