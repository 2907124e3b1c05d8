// SPDX-License-Identifier: GPL-2.0-or-later
//
// Queries and their answers: what is accepted and what is not, field by field.
#include "wire/query.hpp"

#include "expect.hpp"

#include <iterator>
#include <nlohmann/json.hpp>

using namespace vmall::wire;
using nlohmann::json;
using vmall::common::JobClass;

namespace {

JobRow some_job() {
    JobRow job;
    job.job_id = 42;
    job.user_id = 1000;
    job.name = "cg \"B\" \xe2\x82\xac";
    job.job_class = JobClass::long_job;
    job.processes = 16;
    job.nodes = {{"n1", 2}, {"n2", 2}};
    job.full_cores = 16;
    job.mpl = 4;
    job.backfilled = true;
    job.window_end = 1700000000;
    job.generation_wanted = 18446744073709551615u;
    job.generation_applied = 7;
    job.resize_pending = true;
    job.core_seconds = 1234;
    job.lost_seconds = 77;
    job.folds = 3;
    job.unfolds = 2;
    job.ranks = RankReport{16, 12, 5, 4, 3, 2, 1};
    job.useful_percent = 100;
    job.useful_last_percent = 1;
    job.folds_again_at = 1700000050;
    job.restraint = vmall::common::Restraint::time;
    return job;
}

struct Change {
    const char *field;
    const char *value; // nullptr: missing
    const char *error; // nullptr: accepted
};

// The last of a field counts.
#define WITH_DEAL(fields)                                                                          \
    "[{\"node\":\"n1\",\"cores\":1,\"deal\":{\"mpl\":1,\"fixed\":\"\"," fields "}}]"

constexpr Change job_changes[] = {
    {"colour", "1", nullptr},
    {"useful_percent", nullptr, nullptr},
    {"useful_percent", "101", "\"useful_percent\" is 101"},
    {"useful_last_percent", "0", "\"useful_last_percent\" is 0"},
    {"job_id", nullptr, "job: \"job_id\" is missing"},
    {"job_id", "0", "\"job_id\" is 0"},
    {"user_id", nullptr, "\"user_id\" is missing"},
    {"name", nullptr, "\"name\" is missing"},
    {"name", "7", "\"name\" is not a string"},
    {"class", nullptr, nullptr},
    {"class", "\"medium\"", "\"class\" is unknown"},
    {"processes", nullptr, "\"processes\" is missing"},
    {"processes", "0", "\"processes\" is 0"},
    {"processes", "4294967296", "\"processes\" is 4294967296"},
    {"nodes", nullptr, "\"nodes\" is missing"},
    {"nodes", "{}", "\"nodes\" is not a list"},
    {"nodes", "[]", "\"nodes\" is empty"},
    {"nodes", "[3]", "node of a job is not a JSON object"},
    {"nodes", "[{\"cores\":1}]", "node of a job: \"node\" is missing"},
    {"nodes", "[{\"node\":\"n1\"}]", "node of a job: \"cores\" is missing"},
    {"nodes", "[{\"node\":\"n1\",\"cores\":0}]", "\"cores\" is 0"},
    {"full_cores", nullptr, "\"full_cores\" is missing"},
    {"full_cores", "0", "\"full_cores\" is 0"},
    {"mpl", nullptr, "\"mpl\" is missing"},
    {"mpl", "65", "\"mpl\" is 65"},
    {"backfilled", nullptr, "\"backfilled\" is missing"},
    {"backfilled", "1", "\"backfilled\" is neither"},
    {"window_end", nullptr, nullptr},
    {"window_end", "-1", "\"window_end\" is not a whole number"},
    {"window_end", "9223372036854775808", "\"window_end\" is 9223372036854775808"},
    {"window_end", "null", "\"window_end\" is not a whole number"},
    {"folds_again_at", nullptr, nullptr},
    {"folds_again_at", "-1", "\"folds_again_at\" is not a whole number"},
    {"restraint", nullptr, nullptr},
    {"restraint", "\"of a later release\"", nullptr},
    {"restraint", "7", "\"restraint\" is not a string"},
    {"generation_wanted", nullptr, "\"generation_wanted\" is missing"},
    {"generation_applied", nullptr, "\"generation_applied\" is missing"},
    {"resize_pending", nullptr, "\"resize_pending\" is missing"},
    {"resize_pending", "\"no\"", "\"resize_pending\" is neither"},
    {"core_seconds", nullptr, nullptr},
    {"core_seconds", "-1", "\"core_seconds\" is not a whole number"},
    {"lost_seconds", nullptr, nullptr},
    {"lost_seconds", "\"2\"", "\"lost_seconds\" is not a whole number"},
    {"folds", nullptr, nullptr},
    {"folds", "null", "\"folds\" is not a whole number"},
    {"unfolds", nullptr, nullptr},
    {"nodes", "[{\"node\":\"n1\",\"cores\":1,\"deal\":[]}]", "deal of a node is not a JSON object"},
    {"nodes", WITH_DEAL("\"with\":[]"), nullptr},
    {"nodes", WITH_DEAL("\"with\":[1,2,4294967293]"), nullptr},
    {"nodes", WITH_DEAL("\"with\":[2,2]"), "\"with\" is no ascending list of jobs"},
    {"nodes", WITH_DEAL("\"with\":[0]"), "\"with\" is no ascending list of jobs"},
    {"nodes", WITH_DEAL("\"with\":[4294967294]"), "\"with\" is no ascending list of jobs"},
    {"nodes", WITH_DEAL("\"with\":[true]"), "\"with\" is no ascending list of jobs"},
    {"nodes", WITH_DEAL("\"with\":[],\"mpl\":0"), "\"mpl\" is 0"},
    {"nodes", WITH_DEAL("\"with\":[],\"fixed\":1"), "\"fixed\" is not a string"},
    {"nodes", WITH_DEAL("\"with\":[],\"useful_percent\":0"), "\"useful_percent\" is 0"},
    {"ranks", nullptr, nullptr},
    {"ranks", "[]", "ranks is not a JSON object"},
    {"ranks", "{\"tasks\":1,\"attached\":2}", "\"attached\" is 2"},
};

START_TEST(job_field_is_checked) {
    const Change &change = job_changes[_i];
    json message = json::parse(encode(std::vector<JobRow>{some_job()}));
    json &row = message["jobs"][0];
    if (change.value)
        row[change.field] = json::parse(change.value);
    else
        row.erase(change.field);
    const std::string text = message.dump();
    expect_part(error_of<MessageError>([&] { decode_jobs(text); }),
                change.error ? change.error : "nothing was thrown", text);
}
END_TEST

START_TEST(what_agents_deal_survives_the_way) {
    JobRow sent = some_job();
    sent.job_class.reset();
    sent.core_seconds.reset();
    sent.nodes = {{"n1", 2, vmall::wire::Deal{{7, 43}, 4, 55, "began before"}}, {"n2", 2}};
    const JobRow row = decode_jobs(encode(std::vector<JobRow>{sent})).at(0);
    ck_assert(!row.job_class && !row.core_seconds && !row.nodes.at(1).deal);
    const vmall::wire::Deal deal = row.nodes[0].deal.value();
    ck_assert(deal.with == std::vector<std::uint32_t>({7, 43}) && deal.mpl == 4);
    ck_assert_int_eq(deal.useful_percent.value(), 55);
    expect_equal(deal.fixed, "began before");
}
END_TEST

START_TEST(a_deal_names_no_more_jobs_than_it_may) {
    JobRow sent = some_job();
    vmall::wire::Deal deal;
    for (std::uint32_t job = 1; job <= vmall::wire::highest_company; ++job)
        deal.with.push_back(job);
    const auto told = [&] {
        sent.nodes = {{"n1", 2, deal}};
        decode_jobs(encode(std::vector<JobRow>{sent}));
    };
    told();
    deal.with.push_back(vmall::wire::highest_company + 1);
    expect_part(error_of<MessageError>(told), "\"with\" has too many", "deal");
}
END_TEST

START_TEST(jobs_survive_the_way) {
    JobRow plain = some_job();
    plain.job_class = JobClass::short_job;
    plain.window_end.reset();
    plain.folds_again_at.reset();
    plain.restraint.reset();
    plain.ranks.reset();
    plain.backfilled = plain.resize_pending = false;
    const auto jobs = decode_jobs(encode(std::vector<JobRow>{some_job(), plain}));
    ck_assert_uint_eq(jobs.size(), 2);
    const JobRow sent = some_job();
    ck_assert_uint_eq(jobs[0].job_id, sent.job_id);
    ck_assert_uint_eq(jobs[0].user_id, sent.user_id);
    expect_equal(jobs[0].name, sent.name);
    ck_assert(jobs[0].job_class == JobClass::long_job);
    ck_assert_uint_eq(jobs[0].processes, sent.processes);
    ck_assert_uint_eq(jobs[0].nodes.size(), 2);
    expect_equal(jobs[0].nodes[1].node, "n2");
    ck_assert_uint_eq(jobs[0].nodes[1].cores, 2);
    ck_assert_uint_eq(jobs[0].full_cores, sent.full_cores);
    ck_assert_uint_eq(jobs[0].mpl, sent.mpl);
    ck_assert(jobs[0].backfilled && jobs[0].resize_pending);
    ck_assert(jobs[0].window_end == sent.window_end);
    ck_assert(jobs[0].folds_again_at == sent.folds_again_at && !jobs[1].folds_again_at);
    ck_assert(jobs[0].restraint == sent.restraint && !jobs[1].restraint);
    ck_assert_uint_eq(jobs[0].generation_wanted, sent.generation_wanted);
    ck_assert_uint_eq(jobs[0].generation_applied, sent.generation_applied);
    ck_assert(jobs[0].core_seconds == sent.core_seconds && jobs[0].lost_seconds == 77u);
    ck_assert_int_eq(jobs[0].useful_percent.value(), 100);
    ck_assert_int_eq(jobs[0].useful_last_percent.value(), 1);
    ck_assert(jobs[0].folds == sent.folds && jobs[0].unfolds == sent.unfolds);
    ck_assert(jobs[0].ranks && !jobs[1].ranks);
    ck_assert_uint_eq(jobs[0].ranks->attached, 12);
    ck_assert(jobs[1].job_class == JobClass::short_job);
    ck_assert(!jobs[1].backfilled && !jobs[1].resize_pending && !jobs[1].window_end);
}
END_TEST

START_TEST(no_jobs_are_an_answer) {
    ck_assert(decode_jobs(encode(std::vector<JobRow>{})).empty());
}
END_TEST

START_TEST(stats_keep_their_order) {
    const auto stats = decode_stats(encode(std::vector<Stat>{
        {"starts", 18446744073709551615u, "Jobs started."}, {"folds", 0, "Jobs folded."}}));
    ck_assert_uint_eq(stats.size(), 2);
    expect_equal(stats[0].name, "starts");
    ck_assert_uint_eq(stats[0].value, 18446744073709551615u);
    expect_equal(stats[0].help, "Jobs started.");
    expect_equal(stats[1].name, "folds");
}
END_TEST

START_TEST(queries_survive_the_way) {
    ck_assert(decode_query(encode(Query{Ask::jobs})).ask == Ask::jobs);
    for (const Ask ask :
         {Ask::stats, Ask::metrics, Ask::queue, Ask::left_out, Ask::config, Ask::installation})
        ck_assert(decode_query(encode(Query{ask})).ask == ask);
    const Query from = decode_query(encode(Query{Ask::queue, {}, {42, 7}}));
    ck_assert_uint_eq(from.from.job_id, 42);
    ck_assert_uint_eq(from.from.node, 7);
    const Query set = decode_query(encode(Query{Ask::set, {{"MaxMpl", "2"}, {"Sizing", ""}}}));
    ck_assert(set.ask == Ask::set);
    ck_assert_uint_eq(set.settings.size(), 2);
    expect_equal(set.settings[0].key, "MaxMpl");
    expect_equal(set.settings[0].value, "2");
    expect_equal(set.settings[1].value, "");
}
END_TEST

START_TEST(queries_are_told_from_other_messages) {
    ck_assert(is_query(encode(Query{Ask::installation})));
    ck_assert(!is_query(encode(Target{"n1", 1, 0, {0}, 1, 1})));
    expect_part(error_of<MessageError>([] { is_query("nonsense"); }), "not JSON", "error");
}
END_TEST

struct Text {
    const char *json;
    const char *error;
};

constexpr Text bad_queries[] = {
    {"{}", "has no \"query\""},
    {"{\"query\":7}", "query is not a JSON object"},
    {"{\"query\":{}}", "\"ask\" is missing"},
    {"{\"query\":{\"ask\":\"everything\"}}", "\"ask\" is unknown"},
    {"{\"query\":{\"ask\":0}}", "\"ask\" is not a string"},
    {"{\"query\":{\"ask\":\"set\"}}", "\"ask\" is unknown"},
    {"{\"query\":{\"ask\":\"jobs\",\"from\":7}}", "from is not a JSON object"},
    {"{\"query\":{\"ask\":\"jobs\",\"from\":{\"job_id\":0}}}", "from: \"job_id\" is 0"},
    {"{\"query\":{\"ask\":\"jobs\",\"from\":{\"job_id\":1}}}", "from: \"node\" is missing"},
    {"{\"set\":[]}", "set is not a JSON object"},
    {"{\"set\":{}}", "set: \"settings\" is missing"},
    {"{\"set\":{\"settings\":[]}}", "set: \"settings\" has none, or too many"},
    {"{\"set\":{\"settings\":{}}}", "set: \"settings\" is not a list"},
    {"{\"set\":{\"settings\":[7]}}", "setting is not a JSON object"},
    {"{\"set\":{\"settings\":[{\"key\":\"MaxMpl\"}]}}", "setting: \"value\" is missing"},
    {"{\"set\":{\"settings\":[{\"key\":7,\"value\":\"2\"}]}}", "setting: \"key\" is not a string"},
    {"{\"set\":{\"settings\":[{\"key\":\"MaxMpl\",\"value\":2}]}}",
     "setting: \"value\" is not a string"},
    {"[]", "not a JSON object"},
};
constexpr Text bad_queue[] = {
    {"{}", "answer: \"queue\" is missing"},
    {"{\"queue\":[7]}", "waiting job is not a JSON object"},
    {"{\"queue\":[{\"job_id\":1,\"user_id\":0,\"name\":\"\",\"class\":\"long\",\"partition\":\"p\","
     "\"sizes\":[]}]}",
     "waiting job: \"sizes\" is empty"},
    {"{\"queue\":[{\"job_id\":1,\"user_id\":0,\"name\":\"\",\"class\":\"long\",\"partition\":\"p\","
     "\"sizes\":[7]}]}",
     "waiting job: \"sizes\" has something that is not a range"},
    {"{\"queue\":[{\"job_id\":1,\"user_id\":0,\"name\":\"\",\"class\":\"long\",\"partition\":\"p\","
     "\"sizes\":[[0,1]]}]}",
     "waiting job: \"sizes\" has something that is not a range"},
    {"{\"queue\":[{\"job_id\":1,\"user_id\":0,\"name\":\"\",\"class\":\"long\",\"partition\":\"p\","
     "\"sizes\":[[1,2],[4,3]]}]}",
     "waiting job: \"sizes\" has something that is not a range"},
    {"{\"queue\":[{\"job_id\":1,\"user_id\":0,\"name\":\"\",\"class\":\"long\",\"partition\":\"p\","
     "\"sizes\":[[1,4294967296]]}]}",
     "waiting job: \"sizes\" has something that is not a range"},
    {"{\"queue\":[{\"job_id\":1,\"user_id\":0,\"name\":\"\",\"class\":\"long\",\"partition\":\"p\","
     "\"sizes\":[[1,1]]}]}",
     "waiting job: \"reason\" is missing"},
    {"{\"queue\":[{\"job_id\":1,\"user_id\":0,\"name\":\"\",\"class\":\"long\",\"partition\":\"p\","
     "\"sizes\":[[1,1]],\"reason\":\"\"}]}",
     "waiting job: \"position\" is missing"},
};
constexpr Text bad_stats[] = {
    {"{}", "answer: \"stats\" is missing"},
    {"{\"jobs\":[]}", "answer: \"stats\" is missing"},
    {"{\"stats\":{}}", "\"stats\" is not a list"},
    {"{\"stats\":[1]}", "stat is not a JSON object"},
    {"{\"stats\":[{\"name\":\"a\",\"value\":1}]}", "stat: \"help\" is missing"},
    {"{\"stats\":[{\"name\":\"\",\"value\":1,\"help\":\"\"}]}", "stat: \"name\" is empty"},
    {"{\"stats\":[{\"name\":\"a\",\"value\":-1,\"help\":\"\"}]}", "stat: \"value\" is not"},
    {"{\"error\":{}}", "\"error\" is not a string"},
};

START_TEST(bad_query_is_refused) {
    const auto decode = [&] { decode_query(bad_queries[_i].json); };
    expect_part(error_of<MessageError>(decode), bad_queries[_i].error, bad_queries[_i].json);
}
END_TEST

START_TEST(bad_queue_is_refused) {
    const auto decode = [&] { decode_queue(bad_queue[_i].json); };
    expect_part(error_of<MessageError>(decode), bad_queue[_i].error, bad_queue[_i].json);
}
END_TEST

START_TEST(too_much_is_not_set) {
    Query query{Ask::set, std::vector<Setting>(highest_setting_count, {"MaxMpl", "2"})};
    ck_assert_uint_eq(decode_query(encode(query)).settings.size(), highest_setting_count);
    query.settings.push_back({"MaxMpl", "2"});
    expect_part(error_of<MessageError>([&] { decode_query(encode(query)); }), "too many", "count");
    query.settings = {{"MaxMpl", std::string(highest_setting_bytes + 1, '2')}};
    expect_part(error_of<MessageError>([&] { decode_query(encode(query)); }), "too long", "value");
    query.settings.assign(17, {"MaxMpl", std::string(highest_setting_bytes, '2')});
    expect_part(error_of<MessageError>([&] { decode_query(encode(query)); }),
                "longer than 65536 bytes", "message");
}
END_TEST

START_TEST(queue_and_config_survive_the_way) {
    const auto queue = decode_queue(encode(std::vector<WaitingRow>{
        {42,
         1000,
         "cg",
         JobClass::long_job,
         "batch",
         {4, 8, 9},
         "waits for 4 cores",
         3,
         1700000000},
        {43, 1000, "ft", JobClass::long_job, "batch", {4}, "waits for 4 cores", 4}}));
    ck_assert_uint_eq(queue.size(), 2);
    ck_assert(queue[0].expected_start == 1700000000 && !queue[1].expected_start);
    ck_assert_uint_eq(queue[0].job_id, 42);
    ck_assert_uint_eq(queue[0].user_id, 1000);
    expect_equal(queue[0].name, "cg");
    ck_assert(queue[0].job_class == JobClass::long_job);
    expect_equal(queue[0].partition, "batch");
    ck_assert(queue[0].sizes == vmall::common::Sizes({4, 8, 9}));
    expect_equal(queue[0].reason, "waits for 4 cores");
    ck_assert_uint_eq(queue[0].position, 3);
    const auto config = decode_config(
        encode(std::vector<SettingRow>{{"MaxMpl", "2", "vmctl"}, {"MungeSocket", "", "default"}}));
    ck_assert_uint_eq(config.size(), 2);
    expect_equal(config[0].key, "MaxMpl");
    expect_equal(config[0].value, "2");
    expect_equal(config[0].from, "vmctl");
    expect_equal(config[1].value, "");
}
END_TEST

START_TEST(every_restraint_survives_the_way) {
    for (const auto restraint : vmall::common::restraints) {
        JobRow job = some_job();
        job.restraint = restraint;
        ck_assert(decode_jobs(encode(std::vector<JobRow>{job})).at(0).restraint == restraint);
    }
}
END_TEST

START_TEST(jobs_that_are_left_out_survive_the_way) {
    const auto left_out =
        decode_left_out(encode(std::vector<LeftOutRow>{{42, 1000, "has \"GRES\""}}));
    ck_assert_uint_eq(left_out.size(), 1);
    ck_assert_uint_eq(left_out[0].job_id, 42);
    ck_assert_uint_eq(left_out[0].user_id, 1000);
    expect_equal(left_out[0].reason, "has \"GRES\"");
    expect_part(error_of<MessageError>(
                    [] { decode_left_out("{\"left_out\":[{\"job_id\":1,\"user_id\":0}]}"); }),
                "job that is left out: \"reason\" is missing", "left out");
}
END_TEST

START_TEST(bad_stats_are_refused) {
    const auto decode = [&] { decode_stats(bad_stats[_i].json); };
    expect_part(error_of<MessageError>(decode), bad_stats[_i].error, bad_stats[_i].json);
}
END_TEST

START_TEST(error_answer_is_told) {
    const std::string answer = encode_error("not for you");
    expect_part(error_of<QueryRefused>([&] { decode_jobs(answer); }), "not for you", "jobs");
    expect_part(error_of<QueryRefused>([&] { decode_stats(answer); }), "not for you", "stats");
}
END_TEST

} // namespace

int main() {
    Suite *suite = suite_create("query");
    TCase *tests = tcase_create("query");
    tcase_add_loop_test(tests, job_field_is_checked, 0, std::size(job_changes));
    tcase_add_test(tests, jobs_survive_the_way);
    tcase_add_test(tests, what_agents_deal_survives_the_way);
    tcase_add_test(tests, a_deal_names_no_more_jobs_than_it_may);
    tcase_add_test(tests, no_jobs_are_an_answer);
    tcase_add_test(tests, stats_keep_their_order);
    tcase_add_test(tests, queries_survive_the_way);
    tcase_add_test(tests, queries_are_told_from_other_messages);
    tcase_add_loop_test(tests, bad_query_is_refused, 0, std::size(bad_queries));
    tcase_add_loop_test(tests, bad_queue_is_refused, 0, std::size(bad_queue));
    tcase_add_test(tests, too_much_is_not_set);
    tcase_add_test(tests, queue_and_config_survive_the_way);
    tcase_add_test(tests, every_restraint_survives_the_way);
    tcase_add_test(tests, jobs_that_are_left_out_survive_the_way);
    tcase_add_loop_test(tests, bad_stats_are_refused, 0, std::size(bad_stats));
    tcase_add_test(tests, error_answer_is_told);
    suite_add_tcase(suite, tests);
    return run({suite});
}
