// SPDX-License-Identifier: GPL-2.0-or-later
//
// Events of the history: what is accepted and what is not, field by field.
#include "wire/history_rows.hpp"

#include "expect.hpp"
#include "wire/messages.hpp"
#include "wire/query.hpp"

#include <iterator>
#include <nlohmann/json.hpp>

using namespace vmall::wire;
using nlohmann::json;
using vmall::common::Cause;
using vmall::common::JobClass;

namespace {

HistoryRow some_end() {
    HistoryRow row;
    row.time = 1700000000;
    row.job_id = 42;
    row.user_id = 1000;
    row.account = "physics";
    row.name = "cg \"B\" \xe2\x82\xac\n";
    row.job_class = JobClass::long_job;
    row.event = Event::ended;
    row.processes = 16;
    row.full_cores = 32;
    row.cores_before = 8;
    row.mpl = 4;
    row.cause = Cause::window;
    row.for_job = 43;
    row.balance = Balance{18446744073709551615u, 5, 4, 3, 2, 1};
    return row;
}

START_TEST(an_event_survives_the_way) {
    const HistoryRow sent = some_end();
    const std::string line = encode_row(sent);
    ck_assert(line.find('\n') == std::string::npos);
    const HistoryRow row = decode_row(line);
    ck_assert_int_eq(row.time, sent.time);
    ck_assert_uint_eq(row.job_id, 42);
    ck_assert_uint_eq(row.user_id, 1000);
    expect_equal(row.account, sent.account);
    expect_equal(row.name, sent.name);
    ck_assert(row.job_class == JobClass::long_job && row.event == Event::ended);
    ck_assert_uint_eq(row.processes, 16);
    ck_assert_uint_eq(row.full_cores, 32);
    ck_assert_uint_eq(row.cores_before, 8);
    ck_assert_uint_eq(row.cores_after, 0);
    ck_assert_uint_eq(row.mpl, 4);
    ck_assert(row.cause == Cause::window && row.for_job == 43u);
    ck_assert_uint_eq(row.balance.value().core_seconds, 18446744073709551615u);
    ck_assert_uint_eq(row.balance->core_seconds_lent, 5);
    ck_assert_uint_eq(row.balance->seconds_folded, 4);
    ck_assert_uint_eq(row.balance->seconds_lost, 3);
    ck_assert_uint_eq(row.balance->folds, 2);
    ck_assert_uint_eq(row.balance->unfolds, 1);
    ck_assert_uint_eq(decode_history(encode(std::vector<HistoryRow>{sent, sent})).size(), 2);
}
END_TEST

START_TEST(every_event_and_cause_has_a_name_of_its_own) {
    for (const Cause cause : vmall::common::causes)
        for (const Event event : {Event::started, Event::seen, Event::folded, Event::unfolded,
                                  Event::requeued, Event::ended}) {
            HistoryRow row = some_end();
            row.cause = cause;
            row.event = event;
            const HistoryRow read = decode_row(encode_row(row));
            ck_assert(read.cause == cause && read.event == event);
        }
}
END_TEST

struct Change {
    const char *field;
    const char *value; // nullptr: missing
    const char *error; // nullptr: accepted
};

constexpr Change changes[] = {
    {"colour", "1", nullptr},
    {"time", nullptr, "event: \"time\" is missing"},
    {"time", "-1", "\"time\" is not a whole number"},
    {"job_id", nullptr, "\"job_id\" is missing"},
    {"job_id", "0", "\"job_id\" is 0"},
    {"user_id", nullptr, "\"user_id\" is missing"},
    {"account", "7", "\"account\" is not a string"},
    {"name", nullptr, "\"name\" is missing"},
    {"class", "\"medium\"", "\"class\" is unknown"},
    {"event", nullptr, "\"event\" is missing"},
    {"event", "\"exploded\"", "\"event\" is unknown"},
    {"processes", "0", "\"processes\" is 0"},
    {"full_cores", "0", "\"full_cores\" is 0"},
    {"cores_before", "4294967296", "\"cores_before\" is 4294967296"},
    {"cores_after", nullptr, "\"cores_after\" is missing"},
    {"mpl", "0", "\"mpl\" is 0"},
    {"cause", nullptr, nullptr},
    {"cause", "\"mood\"", "\"cause\" is unknown"},
    {"for_job", nullptr, nullptr},
    {"for_job", "0", "\"for_job\" is 0"},
    {"balance", nullptr, nullptr},
    {"balance", "[]", "balance is not a JSON object"},
    {"balance", "{\"core_seconds\":1}", "balance: \"core_seconds_lent\" is missing"},
};

START_TEST(field_is_checked) {
    const Change &change = changes[_i];
    json row = json::parse(encode_row(some_end()));
    if (change.value)
        row[change.field] = json::parse(change.value);
    else
        row.erase(change.field);
    const std::string text = row.dump();
    const char *expected = change.error ? change.error : "nothing was thrown";
    expect_part(error_of<MessageError>([&] { decode_row(text); }), expected, text);
    const std::string answer = "{\"history\":[" + text + "]}";
    expect_part(error_of<MessageError>([&] { decode_history(answer); }), expected, answer);
}
END_TEST

START_TEST(a_line_is_bounded) {
    HistoryRow row = some_end();
    row.name.assign(5000, 'x');
    expect_part(error_of<MessageError>([&] { decode_row(encode_row(row)); }), "longer than",
                "line");
}
END_TEST

START_TEST(the_rest_is_known) {
    ck_assert(!decode_rest("{\"history\":[]}"));
    ck_assert_uint_eq(decode_rest("{\"history\":[],\"next\":7}").value(), 7);
    expect_part(error_of<MessageError>([] { decode_rest("{\"history\":[],\"next\":0}"); }),
                "\"next\" is 0", "next");
    expect_part(error_of<QueryRefused>([] { decode_history("{\"error\":\"no\"}"); }), "no",
                "error");
}
END_TEST

START_TEST(a_question_survives_the_way) {
    Query query{Ask::history};
    query.job = 42;
    query.since = 1700000000;
    query.after = 18446744073709551615u;
    const Query read = decode_query(encode(query));
    ck_assert(read.ask == Ask::history);
    ck_assert_uint_eq(read.job, 42);
    ck_assert_int_eq(read.since, 1700000000);
    ck_assert_uint_eq(read.after, query.after);
    const Query all = decode_query("{\"query\":{\"ask\":\"history\"}}");
    ck_assert(all.job == 0 && all.since == 0 && all.after == 0);
    expect_part(
        error_of<MessageError>([] { decode_query("{\"query\":{\"ask\":\"history\",\"job\":0}}"); }),
        "\"job\" is 0", "job");
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("history_rows");
    tcase_add_test(tests, an_event_survives_the_way);
    tcase_add_test(tests, every_event_and_cause_has_a_name_of_its_own);
    tcase_add_loop_test(tests, field_is_checked, 0, std::size(changes));
    tcase_add_test(tests, a_line_is_bounded);
    tcase_add_test(tests, the_rest_is_known);
    tcase_add_test(tests, a_question_survives_the_way);
    return run("history_rows", tests);
}
