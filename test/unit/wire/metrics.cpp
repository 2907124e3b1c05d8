// SPDX-License-Identifier: GPL-2.0-or-later
//
// Metrics: what arrives is what was sent, and nothing else is accepted.
#include "wire/metrics.hpp"

#include "expect.hpp"
#include "wire/messages.hpp"
#include "wire/query.hpp"

#include <iterator>

using namespace vmall::wire;

namespace {

START_TEST(metrics_survive_the_way) {
    const std::vector<MetricFamily> sent{
        {"jobs", MetricType::gauge, "Jobs.", {{{{"class", "long"}, {"state", "folded"}}, 2}}},
        {"folds_total", MetricType::counter, "Folds.", {}},
        {"seconds",
         MetricType::histogram,
         "Times.",
         {{{{"direction", "fold"}}, 0.1 + 0.2, 5, {{0.005, 1}, {2.5, 4}}}}}};
    const auto metrics = decode_metrics(encode(sent));
    ck_assert_uint_eq(metrics.size(), sent.size());
    for (std::size_t i = 0; i < sent.size(); ++i) {
        expect_equal(metrics[i].name, sent[i].name);
        expect_equal(metrics[i].help, sent[i].help);
        ck_assert(metrics[i].type == sent[i].type);
        ck_assert_uint_eq(metrics[i].samples.size(), sent[i].samples.size());
    }
    ck_assert(metrics[0].samples[0].labels == sent[0].samples[0].labels);
    ck_assert(metrics[0].samples[0].value == 2.0);
    const Sample &histogram = metrics[2].samples[0];
    ck_assert(histogram.value == 0.1 + 0.2);
    ck_assert_uint_eq(histogram.count, 5);
    ck_assert_uint_eq(histogram.buckets.size(), 2);
    ck_assert(histogram.buckets[1].highest == 2.5);
    ck_assert_uint_eq(histogram.buckets[1].count, 4);
}
END_TEST

struct Bad {
    const char *family; // the rest of it is well
    const char *error;
};

constexpr Bad bad_families[] = {
    {R"("name":"","type":"gauge","help":"","samples":[])", R"("name" is not a name)"},
    {R"("name":"a b","type":"gauge","help":"","samples":[])", R"("name" is not a name)"},
    {R"("name":"1a","type":"gauge","help":"","samples":[])", R"("name" is not a name)"},
    {R"("name":"a","type":"summary","help":"","samples":[])", R"("type" is unknown)"},
    {R"("name":"a","type":"gauge","samples":[])", R"("help" is missing)"},
    {R"("name":"a","type":"gauge","help":"","samples":[{"value":1}])", R"("labels" is not an)"},
    {R"("name":"a","type":"gauge","help":"","samples":[{"labels":{"x y":"z"},"value":1}])",
     R"("labels" has something that is not a label)"},
    {R"("name":"a","type":"gauge","help":"","samples":[{"labels":{"x":1},"value":1}])",
     R"("labels" has something that is not a label)"},
    {R"("name":"a","type":"gauge","help":"","samples":[{"labels":{},"value":"1"}])",
     R"("value" is not a number)"},
    {R"("name":"a","type":"histogram","help":"","samples":[{"labels":{},"value":1,"count":1}])",
     R"("buckets" is missing)"},
    {R"("name":"a","type":"histogram","help":"","samples":[{"labels":{},"value":1,"count":1,
        "buckets":[{"highest":1,"count":2}]}])",
     R"("count" is 2, not from 0 to 1)"},
    {R"("name":"a","type":"histogram","help":"","samples":[{"labels":{},"value":1,"count":3,
        "buckets":[{"highest":1,"count":2},{"highest":2,"count":1}]}])",
     R"("count" is 1, not from 2 to 3)"},
    {R"("name":"a","type":"histogram","help":"","samples":[{"labels":{},"value":1,"count":3,
        "buckets":[{"highest":1,"count":2},{"highest":1,"count":2}]}])",
     R"("highest" is not above that of the bucket before)"},
};

START_TEST(bad_metrics_are_refused) {
    const Bad &bad = bad_families[_i];
    const std::string json = std::string(R"({"metrics":[{)") + bad.family + "}]}";
    expect_part(error_of<MessageError>([&] { decode_metrics(json); }), bad.error, json);
}
END_TEST

START_TEST(an_error_is_told) {
    const auto decode = [] { decode_metrics(encode_error("not now")); };
    expect_equal(error_of<QueryRefused>(decode), "not now");
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("metrics");
    tcase_add_test(tests, metrics_survive_the_way);
    tcase_add_loop_test(tests, bad_metrics_are_refused, 0, std::size(bad_families));
    tcase_add_test(tests, an_error_is_told);
    return run("metrics", tests);
}
