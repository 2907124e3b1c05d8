// SPDX-License-Identifier: GPL-2.0-or-later
//
// Roll calls and rolls: what is accepted and what is not.
#include "wire/roll_call.hpp"

#include "expect.hpp"

#include <string>
#include <vector>

using namespace vmall::wire;

namespace {

START_TEST(call_and_roll_arrive_as_they_were_sent) {
    expect_equal(decode_roll_call(encode(RollCall{"n1"}))->node, "n1");
    const Roll roll = {"n1", {{42, {0, 1, 7}, 99}, {43, {}, 0, false}, {44, {2}, 98, true, 3}}};
    const Roll arrived = decode_roll(encode(roll));
    expect_equal(arrived.node, "n1");
    ck_assert(arrived.jobs == roll.jobs);
}
END_TEST

START_TEST(another_message_is_no_roll_call) {
    ck_assert(!decode_roll_call(encode(Target{"n1", 42, 1000, {0}, 1, 9})));
    ck_assert(!decode_roll_call("{}"));
}
END_TEST

struct Wrong {
    const char *roll;
    const char *error;
};

const Wrong wrong_rolls[] = {
    {"{}", "message has no \"roll\""},
    {R"({"roll":{"jobs":[]}})", "\"node\" is missing"},
    {R"({"roll":{"node":"n1"}})", "\"jobs\" is missing"},
    {R"({"roll":{"node":"n1","jobs":{}}})", "\"jobs\" is not a list"},
    {R"({"roll":{"node":"n1","jobs":[7]}})", "is not a JSON object"},
    {R"({"roll":{"node":"n1","jobs":[{"job_id":0,"cores":[],"generation":0}]}})",
     "\"job_id\" is 0"},
    {R"({"roll":{"node":"n1","jobs":[{"job_id":1,"cores":[2,1],"generation":0}]}})",
     "\"cores\" is not ascending"},
    {R"({"roll":{"node":"n1","jobs":[{"job_id":1,"cores":[65536],"generation":0}]}})",
     "not a core index"},
    {R"({"roll":{"node":"n1","jobs":[{"job_id":1,"cores":[],"generation":-1}]}})",
     "\"generation\" is not a whole number"},
    {R"({"roll":{"node":"n1","jobs":[{"job_id":1,"cores":[],"generation":0}]}})",
     "\"lives\" is missing"},
    {R"({"roll":{"node":"n1","jobs":[{"job_id":1,"cores":[],"generation":0,"lives":true,"run":-1}]}})",
     "\"run\" is not a whole number"},
};

START_TEST(wrong_roll_is_refused) {
    const Wrong &wrong = wrong_rolls[_i];
    expect_part(error_of<MessageError>([&] { decode_roll(wrong.roll); }), wrong.error, wrong.roll);
}
END_TEST

START_TEST(roll_of_more_jobs_than_a_node_can_have_is_refused) {
    const Roll roll = {"n1", std::vector<Present>(highest_roll_length + 1, Present{1})};
    expect_part(error_of<MessageError>([&] { decode_roll(encode(roll)); }), "is too long", "");
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("roll call");
    tcase_add_test(tests, call_and_roll_arrive_as_they_were_sent);
    tcase_add_test(tests, another_message_is_no_roll_call);
    tcase_add_loop_test(tests, wrong_roll_is_refused, 0, std::size(wrong_rolls));
    tcase_add_test(tests, roll_of_more_jobs_than_a_node_can_have_is_refused);
    return run("roll call", tests);
}
