// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whoever asks vmall-exporter, and however often: the controller has one question at a time.
#include "tools/exporter/source.hpp"

#include "limit.hpp"
#include "run.hpp"

#include <atomic>
#include <future>
#include <stdexcept>
#include <string>

using namespace vmall::exporter;
using namespace std::chrono_literals;
using vmall::wire::MetricType;

namespace {

constexpr auto never_fresh = 0s;
constexpr auto always_fresh = 1h;

void ignore(const std::string &) {}

Metrics metrics_named(const std::string &name) {
    return {{name, MetricType::gauge, "", {}}};
}

START_TEST(an_answer_is_passed_on) {
    Source source([] { return metrics_named("one"); }, ignore, never_fresh);
    const auto answer = source.metrics(vmall::test::limit);
    ck_assert(answer);
    ck_assert_text(answer->front().name, "one");
}
END_TEST

START_TEST(nobody_is_asked_while_the_answer_is_fresh) {
    std::atomic<int> asked = 0;
    Source source([&] { return ++asked, metrics_named("one"); }, ignore, always_fresh);
    for (int i = 0; i < 10; ++i)
        ck_assert(source.metrics(vmall::test::limit));
    ck_assert_int_eq(asked, 1);
}
END_TEST

START_TEST(an_old_answer_is_not_given_again) {
    std::atomic<int> asked = 0;
    Source source([&] { return metrics_named(std::to_string(++asked)); }, ignore, never_fresh);
    source.metrics(vmall::test::limit);
    ck_assert_text(source.metrics(vmall::test::limit)->front().name, "2");
}
END_TEST

START_TEST(many_who_ask_at_once_wait_for_one_question) {
    std::atomic<int> asked = 0, at_a_time = 0, most = 0;
    std::promise<void> may_answer;
    const std::shared_future<void> allowed = may_answer.get_future().share();
    Source source(
        [&] {
            ++asked;
            most = std::max(most.load(), ++at_a_time);
            allowed.wait();
            --at_a_time;
            return metrics_named("one");
        },
        ignore, always_fresh);
    std::vector<std::future<bool>> clients;
    for (int i = 0; i < 20; ++i)
        clients.push_back(std::async(
            std::launch::async, [&] { return source.metrics(vmall::test::limit) != nullptr; }));
    may_answer.set_value();
    for (auto &client : clients)
        ck_assert(client.get());
    ck_assert_int_eq(asked, 1);
    ck_assert_int_eq(most, 1);
}
END_TEST

START_TEST(a_controller_that_hangs_is_waited_for_no_longer_than_patience) {
    std::promise<void> may_answer;
    Source source([&] { return may_answer.get_future().wait(), metrics_named("late"); }, ignore,
                  always_fresh);
    ck_assert(!source.metrics(1ms));
    may_answer.set_value();
    const auto answer = source.metrics(vmall::test::limit); // of the same question
    ck_assert(answer);
    ck_assert_text(answer->front().name, "late");
}
END_TEST

START_TEST(a_problem_is_reported_once_and_so_is_its_end) {
    std::atomic<int> asked = 0;
    std::vector<std::string> reports;
    {
        Source source(
            [&] {
                if (++asked > 3)
                    return metrics_named("one");
                throw std::runtime_error(asked < 3 ? "nobody there" : "munge refuses");
            },
            [&](const std::string &problem) { reports.push_back(problem); }, never_fresh);
        for (int i = 0; i < 3; ++i)
            ck_assert(!source.metrics(vmall::test::limit));
        for (int i = 0; i < 2; ++i)
            ck_assert(source.metrics(vmall::test::limit));
    }
    ck_assert(reports == std::vector<std::string>({"nobody there", "munge refuses", ""}));
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("source");
    tcase_add_test(tests, an_answer_is_passed_on);
    tcase_add_test(tests, nobody_is_asked_while_the_answer_is_fresh);
    tcase_add_test(tests, an_old_answer_is_not_given_again);
    tcase_add_test(tests, many_who_ask_at_once_wait_for_one_question);
    tcase_add_test(tests, a_controller_that_hangs_is_waited_for_no_longer_than_patience);
    tcase_add_test(tests, a_problem_is_reported_once_and_so_is_its_end);
    return run("source", tests);
}
